/** Log formats of Envoy: `[%START_TIME%] "%REQ(:METHOD)% %REQ(:PATH)% %PROTOCOL%" %RESPONSE_CODE% …` */
import { BYTES, INTEGER, MILLISECONDS, PROTOCOL, REQUEST_METHOD, freeText, type FieldType } from '../format/log_fields.ts';
import { isField, textAfter, type LogItem } from '../format/log_format.ts';
import { upTo, upToSpace } from '../../base/scan.ts';
import { ADDRESS, timeIn, unlessDash } from './service_fields.ts';

/** Command operators whose fields have names that other access logs have as well, and types. */
const OPERATORS: Readonly<Record<string, readonly [name: string, type: FieldType]>> = {
  PROTOCOL: ['server_protocol', PROTOCOL],
  RESPONSE_CODE: ['status', INTEGER],
  BYTES_RECEIVED: ['request_length', BYTES],
  BYTES_SENT: ['bytes_sent', BYTES],
  DURATION: ['request_time', MILLISECONDS],
  REQUEST_DURATION: ['request_duration', MILLISECONDS],
  RESPONSE_DURATION: ['response_duration', MILLISECONDS],
  RESPONSE_TX_DURATION: ['response_tx_duration', MILLISECONDS],
  DOWNSTREAM_REMOTE_ADDRESS: ['remote', ADDRESS],
  'REQ(:METHOD)': ['request_method', REQUEST_METHOD],
  'RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)': ['upstream_response_time', MILLISECONDS],
};
/** The same, of texts. */
const TEXTS: Readonly<Record<string, string>> = {
  'REQ(:PATH)': 'request_uri',
  'REQ(X-ENVOY-ORIGINAL-PATH?:PATH)': 'request_uri',
  'REQ(:AUTHORITY)': 'host',
  UPSTREAM_HOST: 'upstream_addr',
  DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT: 'remote_addr',
  REQUESTED_SERVER_NAME: 'ssl_server_name',
  DOWNSTREAM_TLS_VERSION: 'ssl_protocol',
  DOWNSTREAM_TLS_CIPHER: 'ssl_cipher',
};
const HEADERS: Readonly<Record<string, string>> = { REQ: 'http_', RESP: 'sent_http_', TRAILER: 'sent_trailer_' };

const DEFAULT =
  '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"';
const ISTIO =
  '[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS% %RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS% "%UPSTREAM_TRANSPORT_FAILURE_REASON%" %BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%" %UPSTREAM_CLUSTER% %UPSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_LOCAL_ADDRESS% %DOWNSTREAM_REMOTE_ADDRESS% %REQUESTED_SERVER_NAME% %ROUTE_NAME%';
/** Istio before 1.6 had a status of Mixer; its first versions had no route either. */
const ISTIO_OF_OLD = ISTIO.replace('%RESPONSE_CODE_DETAILS% %CONNECTION_TERMINATION_DETAILS%', '"%DYNAMIC_METADATA(istio.mixer:status)%"');
const NAMED: Readonly<Record<string, string>> = {
  default: DEFAULT,
  istio: ISTIO,
  istio_1_5: ISTIO_OF_OLD,
  istio_1_3: ISTIO_OF_OLD.replace(' %ROUTE_NAME%', ''),
};

/** White space, an operator with its arguments and the most characters it has, an escaped percent sign, or what is neither. */
const ITEM = /(?<space>[ \t-\r]+)|%(?<name>[A-Z][A-Z0-9_]*)(?:\((?<argument>[^)]*)\))?(?::\d+)?%|(?<percent>%%)|(?<literal>[^% \t-\r]+|%)/g;

/** The items of a format of Envoy, or of a name such as `istio`. Raises an error when it is empty. */
export function envoyLogFormat(format: string): LogItem[] {
  const items: LogItem[] = [];
  for (const { groups = {} } of (Object.hasOwn(NAMED, format) ? (NAMED[format] as string) : textOf(format)).matchAll(ITEM)) {
    const { space, name, argument, percent, literal = '' } = groups;
    if (space !== undefined) items.push({ kind: 'spaces', text: space });
    else if (name === undefined) items.push({ kind: 'literal', text: percent === undefined ? literal : '%' });
    else items.push(operator(name, argument, items));
  }
  if (items.length === 0) throw new SyntaxError('log_format is empty');
  if (!items.some(isField)) throw new SyntaxError(`log_format has no operator such as %START_TIME%: ${format}`);
  return items;
}

/** The format as Envoy's configuration has it, mostly with a `\n` at its end. */
function textOf(format: string): string {
  return format.replaceAll('\\n', '\n').replaceAll('\\t', '\t').trim();
}

function operator(name: string, argument: string | undefined, before: readonly LogItem[]): LogItem {
  const last = before.findLast((item) => item.kind !== 'field')?.text ?? '';
  if (name === 'START_TIME') return { kind: 'field', name: 'time', type: timeIn(last.endsWith('[') ? upTo(']') : textAfter(before)) };
  const key = argument === undefined ? name : `${name}(${argument.toUpperCase()})`;
  if (Object.hasOwn(OPERATORS, key)) {
    const [field, type] = OPERATORS[key] as readonly [string, FieldType];
    return { kind: 'field', name: field, type: unlessDash(type) };
  }
  const text = freeText(last.endsWith('[') ? upTo(']') : before.at(-1)?.kind === 'spaces' ? upToSpace : textAfter(before));
  // No flags are a fact, too, and JSON has them in the same way.
  return { kind: 'field', name: TEXTS[key] ?? fieldName(name, argument), type: name === 'RESPONSE_FLAGS' ? text : unlessDash(text) };
}

/** `REQ(X-A?X-B)` is http_x_a, other operators have their own names and those of their arguments. */
function fieldName(name: string, argument = ''): string {
  const word =
    argument
      .split('?')[0]
      ?.toLowerCase()
      .replace(/[^a-z\d]+/g, '_')
      .replace(/^_|_$/g, '') ?? '';
  const prefix = HEADERS[name];
  if (prefix !== undefined) return prefix + word;
  return word === '' ? name.toLowerCase() : `${name.toLowerCase()}_${word}`;
}
