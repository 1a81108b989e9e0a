/**
 * Decodes logs that PostgreSQL writes to stderr or files, with the usual values of log_line_prefix: the default `%m [%p] `, Debian's `%m [%p]
 * %q%u@%d ` and `%t [%p-%l] %q%u@%d `, `%t [%p]: user=%u,db=%d,app=%a,client=%h `, `%m [%p]: [%l-1] db=%d,user=%u ` of Google, `%t-%c-` of Azure and
 * `%t:%r:%u@%d:[%p]:` of Amazon. Further lines of a message begin with a tab and belong to it.
 *
 * | Part | Becomes |
 * |---|---|
 * | date; for an ambiguous zone, such as IST, the zone of tz is used | Timestamp |
 * | process | Pid |
 * | level | Severity: PANIC 0, FATAL 2, ERROR 3, WARNING 4, NOTICE 5, LOG and INFO 6, DEBUG1 to DEBUG5 7 |
 * | DETAIL, HINT, QUERY, CONTEXT, STATEMENT, LOCATION | the field level, of a message of its own |
 * | user, database, application, client | the fields user, database, application_name, remote_addr and remote_port |
 * | `duration: 12.345 ms` | the field duration with the representation `ms` |
 * | the rest | Payload, or the whole record with payload_keep |
 *
 * For csvlog use the decoder csv, for jsonlog the decoder json_lines.
 */
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { POSTGRESQL } from '../lib/forms/postgresql_records.ts';

export const meta: PluginMeta = {
  name: 'postgresql',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logs of PostgreSQL.',
  split: { before: /[^\t\n]/ },
  columns: ['user', 'database', 'duration', 'level'],
  recordSummary: '[{level}: ]{Payload}',
  looks: [
    {
      records:
        /^(?:< ?)?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? (?:[A-Z]{3,5}|[+-]\d\d)(?:[ :-].{0,200}?[ :\]-])(?:PANIC|FATAL|ERROR|WARNING|NOTICE|INFO|LOG|DEBUG[1-5]?|DETAIL|HINT|QUERY|CONTEXT|STATEMENT|LOCATION): {2}/,
    },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'a slow statement, in the form of Debian',
      in: '2021-03-05 13:07:59.250 UTC [4123] app@shop LOG:  duration: 1234.567 ms  statement: SELECT *\n\tFROM orders',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 6,
        Pid: 4123,
        Payload: 'duration: 1234.567 ms  statement: SELECT *\n\tFROM orders',
        Fields: { user: 'app', database: 'shop', duration: { value: 1234.567, representation: 'ms' } },
      },
    },
    {
      title: 'an error, with all that a prefix can say',
      config: { type: 'postgresql' },
      in: '2021-03-05 14:07:59 CET [4123]: [3-1] user=app,db=shop,app=psql,client=192.0.2.1 ERROR:  relation "x" does not exist at character 15',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'postgresql',
        Severity: 3,
        Pid: 4123,
        Payload: 'relation "x" does not exist at character 15',
        Fields: {
          session_line: '3-1',
          user: 'app',
          database: 'shop',
          application_name: 'psql',
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
        },
      },
    },
    {
      title: 'more of an error',
      in: '2021-03-05 13:07:59 UTC:192.0.2.1(50122):app@shop:[4123]:STATEMENT:  SELECT * FROM x',
      out: {
        Timestamp: '1614949679000000000',
        Pid: 4123,
        Payload: 'SELECT * FROM x',
        Fields: {
          user: 'app',
          database: 'shop',
          level: 'STATEMENT',
          remote_addr: { value: '192.0.2.1', representation: 'ipv4' },
          remote_port: 50122,
        },
      },
    },
    { title: 'a further line alone', in: '\tFROM orders', fails: 'no date, process and level of PostgreSQL' },
  ],
};

const decode = patternDecoder(POSTGRESQL);

export function process_message(): ProcessStatus {
  return decode();
}
