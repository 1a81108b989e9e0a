/**
 * Decodes slow query logs of Percona Server, one entry in each record: cut the log in front of its lines `# User@Host:`.
 *
 * | Part | Becomes |
 * |---|---|
 * | address of the client, or its name when it has none | Hostname |
 * | `Id:` | the field Connection_id |
 * | `SET timestamp=…` | Timestamp |
 * | Schema, Last_errno, Killed, Rows_sent, Rows_examined, Rows_affected, Full_scan, InnoDB_IO_r_ops and others | fields of these names |
 * | times and waits: Query_time, Lock_time, InnoDB_IO_r_wait … | fields of these names with the representation `s` |
 * | sizes: Bytes_sent, Tmp_table_sizes, InnoDB_IO_r_bytes | fields of these names with the representation `B` |
 * | statement, up to a semicolon at the end of a line | Payload |
 *
 * All pairs in comment lines behind the query's times become fields, so the set depends on log_slow_verbosity and the server's version. Names of
 * users and hosts may have any characters. An entry with an administrator command and no statement has the command as its Payload.
 *
 * With truncate_sql the statement is cut to that many bytes of UTF-8. The cut never splits a character, and three dots mark it. A negative number
 * removes that many bytes from the end, whatever the length of the statement.
 */
import { PERCONA_ENTRY, SLOW_QUERY_COLUMNS, SLOW_QUERY_SPLIT, SLOW_QUERY_TEXT } from '../lib/slow_query/slow_query_looks.ts';
import { SLOW_QUERY } from '../lib/parameters.ts';
import { slowQueryDecoder } from '../lib/slow_query/slow_query.ts';
import { ANY, DECIMAL, INTEGER } from '../lib/slow_query/slow_query_forms.ts';
import { SLOW_QUERY_SUMMARY } from '../lib/summaries.ts';

const ENTRY = `# Time: 2021-03-05T13:07:59.123456Z
# User@Host: mailboxer[mailboxer] @  [192.0.2.10]  Id:  1234
# Schema: board  Last_errno: 0  Killed: 0
# Query_time: 1.009400  Lock_time: 0.000190  Rows_sent: 4  Rows_examined: 1543719  Rows_affected: 0
# Bytes_sent: 278
# Stored routine: board.recent
# QC_Hit: No  Full_scan: Yes
#   InnoDB_IO_r_ops: 6415  InnoDB_IO_r_bytes: 105103360  InnoDB_IO_r_wait: 0.001279
SET timestamp=1614949679;
SELECT 1;
`;

export const meta: PluginMeta = {
  name: 'percona_slow_query',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes slow query logs of Percona Server.',
  split: SLOW_QUERY_SPLIT,
  columns: SLOW_QUERY_COLUMNS,
  recordSummary: SLOW_QUERY_SUMMARY,
  looks: [{ text: [...SLOW_QUERY_TEXT, PERCONA_ENTRY] }],
  parameters: SLOW_QUERY,
  examples: [
    {
      title: 'a stored routine, with what it read',
      in: ENTRY,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'percona.slow-query',
        Hostname: '192.0.2.10',
        Payload: 'SELECT 1;\n',
        Fields: {
          Connection_id: 1234,
          Schema: 'board',
          Last_errno: 0,
          Killed: 0,
          Query_time: { value: 1.0094, representation: 's' },
          Lock_time: { value: 0.00019, representation: 's' },
          Rows_sent: 4,
          Rows_examined: 1543719,
          Rows_affected: 0,
          Bytes_sent: { value: 278, representation: 'B' },
          Stored_routine: 'board.recent',
          QC_hit: 'No',
          Full_scan: 'Yes',
          InnoDB_IO_r_ops: 6415,
          InnoDB_IO_r_bytes: { value: 105103360, representation: 'B' },
          InnoDB_IO_r_wait: { value: 0.001279, representation: 's' },
        },
      },
    },
    {
      title: 'the first ten bytes of the statement',
      config: { truncate_sql: 10 },
      in: `# User@Host: app[app] @ localhost []  Id:     8
# Schema:   Last_errno: 1317  Killed: 0
# Query_time: 2.000226  Lock_time: 0.000000  Rows_sent: 1  Rows_examined: 0  Rows_affected: 0
SET timestamp=1614949679;
SELECT SLEEP(2);
`,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'percona.slow-query',
        Hostname: 'localhost',
        Payload: 'SELECT SLE...',
        Fields: {
          Connection_id: 8,
          Schema: '',
          Last_errno: 1317,
          Killed: 0,
          Query_time: { value: 2.000226, representation: 's' },
          Lock_time: { value: 0, representation: 's' },
          Rows_sent: 1,
          Rows_examined: 0,
          Rows_affected: 0,
        },
      },
    },
    {
      title: 'an entry of MySQL',
      in: '# User@Host: app[app] @ dbone [10.1.2.3]\n# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000\nSET timestamp=1614949679;\nSELECT 1;\n',
      fails: 'no whole line # Schema',
    },
  ],
};

const decode = slowQueryDecoder({
  type: 'percona.slow-query',
  lines: [
    [
      ['Thread_id', INTEGER, 'optional'],
      ['Schema', ANY],
      ['Last_errno', INTEGER],
      ['Killed', INTEGER],
    ],
    [
      ['Query_time', DECIMAL],
      ['Lock_time', DECIMAL],
      ['Rows_sent', INTEGER],
      ['Rows_examined', INTEGER],
      ['Rows_affected', INTEGER],
    ],
  ],
  othersBefore: false,
});

export function process_message(): ProcessStatus {
  return decode();
}
