/** Records of PostgreSQL. */
import { remoteFields } from '../remote_address.ts';
import type { RecordForms } from '../pattern_decoder.ts';

const TIME = String.raw`^(?:< ?)?(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[A-Z]{3,5}|[+-]\d\d(?::?\d\d)?))`;
const LEVEL = String.raw`(?<level>PANIC|FATAL|ERROR|WARNING|NOTICE|INFO|LOG|DEBUG[1-5]?|DETAIL|HINT|QUERY|CONTEXT|STATEMENT|LOCATION):  ?`;
const MESSAGE = String.raw`(?<message>(?:duration: (?<duration>\d+\.\d+) ms)?.*)$`;
const ACCOUNT = String.raw`(?<user>[^@\s]*)@(?<database>\S*?)`;
const GOOGLE = String.raw`db=(?<database>[^,]*),user=(?<user>[^,\s]*)(?:,host=(?<_client>[^,\s]*))?`;
const PAIRS = String.raw`user=(?<user>[^,]*),db=(?<database>[^,]*)(?:,app=(?<application_name>[^,]*))?(?:,client=(?<_client>[^,\s]*))?`;

export const POSTGRESQL: RecordForms = {
  patterns: [
    String.raw`${TIME}(?: ?>)? \[(?<process>\d+)\]:?(?: \[(?<session_line>\d+-\d+)\])?(?: ${PAIRS})? ${LEVEL}${MESSAGE}`,
    String.raw`${TIME} \[(?<process>\d+)\]:?(?: \[(?<session_line>\d+-\d+)\])? ${ACCOUNT} ${LEVEL}${MESSAGE}`,
    String.raw`${TIME} \[(?<process>\d+)-(?<session_line>\d+)\](?: ${ACCOUNT})? ${LEVEL}${MESSAGE}`,
    String.raw`${TIME} \[(?<process>\d+)\]: \[(?<session_line>\d+-\d+)\] ${GOOGLE} ${LEVEL}${MESSAGE}`,
    String.raw`${TIME}-(?<session_id>[\da-f]+\.[\da-f]+)-${LEVEL}${MESSAGE}`,
    String.raw`${TIME}:(?<_client>[^:]*|[\da-fA-F:]+\(\d+\)):${ACCOUNT}:\[(?<process>\d+)\]:${LEVEL}${MESSAGE}`,
  ].map((pattern) => new RegExp(pattern, 's')),
  levels: { PANIC: 0, LOG: 6, DEBUG1: 7, DEBUG2: 7, DEBUG3: 7, DEBUG4: 7, DEBUG5: 7 },
  numbers: { duration: 'ms' },
  hosts: [],
  refusal: 'no date, process and level of PostgreSQL',
  further: ({ _client: client = '' }) =>
    remoteFields(client.replace(/^(.*)\((\d+)\)$/, (_, host: string, port: string) => `[${host}]:${port}`)),
};
