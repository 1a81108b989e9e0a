/** Templates of summaries that several decoders have. Their metas name these constants, and are read without running anything: literals only. */

/** A request: `GET /checkout 504 30 s`. */
export const ACCESS_SUMMARY =
  '[{request:request}|{request_method} {uri|request_uri}|{request_method}|{uri|request_uri}] {status|upstream_status}[ {request_time|time_total|upstream_response_time}]';

const METHOD = 'http.request.method|http.method|request.method|req.method|request_method|method|verb';
const PATH =
  'url.path|http.target|http.route|http.path|request.path|request.url|req.url|http.url|url.full|request_uri|path|uri|url|request';
const STATUS =
  'http.response.status_code|http.status_code|http.status|response.status|res.statusCode|status_code|statusCode|status|response';
const TOOK =
  '[ {duration_ms|durationMs|elapsed_ms|latency_ms|took_ms|responseTime|response_time_ms:ms}| {duration|elapsed|latency|took|dur|request_time|response_time}]';
const ERROR = 'error.message|err.message|exception.message|error|err|exception|error.type|exception.type';

/** A message of a program, behind the request and with the error that it names: `POST /api 504 · timeout acquiring a connection`. */
export const PROGRAM_SUMMARY = `[{${METHOD}} {${PATH}}[ {${STATUS}}]${TOOK}|{${METHOD}} {${STATUS}}${TOOK}] · {Payload|short_message:error} · {${ERROR}:error}`;

/** A message of a service of a machine: `sshd: Accepted publickey for root`. */
export const SYSLOG_SUMMARY = '[{programname|app-name}: ]{Payload:error}';

/** The text, and the exception in it. */
export const TEXT_SUMMARY = '{Payload:error}';

/** A statement that took long: `3.5 s · SELECT * FROM orders`. */
export const SLOW_QUERY_SUMMARY = '{Query_time} · {Payload} · [{Rows_examined} rows examined]';

/** An event of Windows: `4625 An account failed to log on.`. */
export const WINDOWS_SUMMARY = '{EventID|Id|InstanceId} [{Payload}|{Provider}[ · {TargetUserName}][ · {IpAddress}]]';
