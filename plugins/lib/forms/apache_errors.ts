/** Lines of the error log of Apache's httpd, in its own formats. */
import { remoteFields, remoteFieldsWithPort } from '../remote_address.ts';
import type { Groups, RecordForms } from '../pattern_decoder.ts';

const LEVEL = 'emerg|alert|crit|error|warn|notice|info|debug|trace[1-8]';
const REFERER = ', referer: ';
const TRACES = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`trace${i + 1}`, 7]));

/** The referer is the last that a message has; the server writes it there by itself where it has no format of its own. */
export function withoutReferer(groups: Groups): Groups {
  const { message, http_referer: known } = groups;
  const at = message === undefined || known !== undefined ? -1 : message.lastIndexOf(REFERER);
  const referer = message?.slice(at + REFERER.length) ?? '';
  return at < 0 || referer.includes(' ') ? groups : { ...groups, message: message?.slice(0, at), http_referer: referer };
}

const PATTERNS = [
  new RegExp(
    [
      String.raw`^\[(?<time>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \d{4})\] \[(?:(?<module>[\w-]*):)?(?<level>${LEVEL})\]`,
      String.raw`(?: \[pid (?<process>\d+)(?::tid (?<tid>\d+))?\])?(?: (?<source>[^\s()]+)\((?<source_line>\d+)\):)?`,
      String.raw`(?: \((?<error_code>\d+)\)(?<error>[^:]*):)?(?: \[(?:client|remote) (?<_client>(?:\[[^\]]*\])?[^\]]*)\])?`,
      String.raw` ?(?<message>(?:(?<code>AH\d{5}):)?.*)$`,
    ].join(''),
    's',
  ),
];

export const APACHE_ERRORS: RecordForms = {
  patterns: PATTERNS,
  levels: TRACES,
  refine: withoutReferer,
  numbers: { tid: '', source_line: '', error_code: '', connection_requests: '' },
  hosts: ['server_name'],
  refusal: 'no date and level of an error log of Apache',
  // Only those of 2.4 have ports, and processes.
  further: ({ _client: client = '', process }) => (process === undefined ? remoteFields(client) : remoteFieldsWithPort(client)),
};
