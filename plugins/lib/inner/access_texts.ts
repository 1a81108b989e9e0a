/** Lines of access logs in the formats that servers have without being configured: combined, common, those of ingress-nginx and of Traefik. */
import { apacheLogFormat } from '../access/apache_log_format.ts';
import { envoyLogFormat } from '../access/envoy_log_format.ts';
import { nginxLogFormat } from '../access/nginx_log_format.ts';
import { LineReader } from '../format/line_reader.ts';
import type { LogItem } from '../format/log_format.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import { CollectedRecord } from './collected_record.ts';

const COMMON = '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent';
const AGENTS = '"$http_referer" "$http_user_agent"';
const INGRESS = `${COMMON} ${AGENTS} $request_length $request_time [$proxy_upstream_name]`;
const INGRESS_END = ' $upstream_addr $upstream_response_length $upstream_response_time $upstream_status';
const SECONDS = String.raw`(?:-|\d+\.\d{3})(?:, (?:-|\d+\.\d{3}))*`;

/** Formats that go on behind the combined one, by what stands there. */
const LONGER: readonly [behind: RegExp, format: string][] = [
  [/^ "(?:-|[\da-f.:]+(?:, ?[\da-f.:]+)*)"$/i, `${COMMON} ${AGENTS} "$http_x_forwarded_for"`],
  [/^ \d+ \d+\.\d{3} \[[^\]]*\] \[[^\]]*\] .* [\da-f]{32}$/, `${INGRESS} [$proxy_alternative_upstream_name]${INGRESS_END} $req_id`],
  [/^ \d+ \d+\.\d{3} \[[^\]]*\] \[[^\]]*\] /, `${INGRESS} [$proxy_alternative_upstream_name]${INGRESS_END}`],
  [/^ \d+ \d+\.\d{3} \[[^\]]*\] .* [\da-f]{32}$/, `${INGRESS}${INGRESS_END} $req_id`],
  [/^ \d+ \d+\.\d{3} \[[^\]]*\] /, `${INGRESS}${INGRESS_END}`],
  [/^ \d+ "[^"]*" "[^"]*" \d+ms$/, `${COMMON} ${AGENTS} $request_number "$router_name" "$upstream_url" $duration`],
  [new RegExp(`^ ${SECONDS} ${SECONDS}$`), `${COMMON} ${AGENTS} $request_time $upstream_response_time`],
  [/^ \d+\.\d{3}$/, `${COMMON} ${AGENTS} $request_time`],
];
/** The client, who it is, the date, and the request up to its status. */
const LINE =
  /^(?:([\w.-]*[A-Za-z][\w.-]*(?::\d+)) )?(?:[\da-zA-Z.:_-]+|\[[\da-f:.]{2,45}\]) \S+ [^[\n]{1,120}? ?\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:[.:]\d{1,9})? [+-]\d{4}\] "(?:[^"\\]|\\.)*" (?:\d{3}|-) (?:\d+|-)(?: "(?:[^"\\]|\\.)*" "(?:[^"\\]|\\.)*"(.*))?/;

class AccessFormat {
  readonly #reader: LineReader;
  readonly #record: CollectedRecord;

  constructor(items: readonly LogItem[]) {
    this.#reader = new LineReader(items, true);
    this.#record = new CollectedRecord(this.#reader.columns);
  }

  read(text: string): LogMessage | null {
    return this.#reader.read(this.#record.begin(text), text, 0, text.length) ? this.#record.take() : null;
  }
}

/** Reads lines of access logs. To be made at load. */
export class AccessTexts {
  readonly #hosts = new AccessFormat(apacheLogFormat('vhost_combined'));
  readonly #common = new AccessFormat(nginxLogFormat(COMMON));
  readonly #combined = new AccessFormat(nginxLogFormat('combined'));
  readonly #longer = LONGER.map(([behind, format]) => ({ behind, format: new AccessFormat(nginxLogFormat(format)) }));

  /** The message of a line; null: it is none of an access log. */
  read(text: string): LogMessage | null {
    const found = LINE.exec(text);
    if (found === null) return null;
    const [, host, behind] = found;
    if (host !== undefined) return this.#hosts.read(text);
    if (behind === undefined) return this.#common.read(text);
    const longer = behind === '' ? undefined : this.#longer.find((one) => one.behind.test(behind));
    return longer?.format.read(text) ?? this.#combined.read(text);
  }
}

/** The details behind the status and the flags in Istio's format. */
const ISTIO = /^\[[^\]]+\] "\S+ \S+ \S+" \d+ \S+ \S+ \S+ "/;

/** Reads lines of Envoy and Istio. To be made at load. */
export class EnvoyTexts {
  readonly #istio = new AccessFormat(envoyLogFormat('istio'));
  readonly #usual = new AccessFormat(envoyLogFormat('default'));

  /** The message of a line; null: it has neither format. */
  read(text: string): LogMessage | null {
    return (ISTIO.test(text) ? this.#istio : this.#usual).read(text);
  }
}
