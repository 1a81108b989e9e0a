/**
 * Decodes slow query logs of MariaDB, one entry in each record: cut the log in front of its lines `# User@Host:`.
 *
 * | Part | Becomes |
 * |---|---|
 * | address of the client, or its name when it has none | Hostname |
 * | `SET timestamp=…` | Timestamp |
 * | Thread_id, Schema, QC_hit, Rows_sent, Rows_examined, Merge_passes, Full_scan and others | fields of these names |
 * | Query_time, Lock_time | fields of these names with the representation `s` |
 * | plan, with log_slow_verbosity=explain | the field explain, a line for each step |
 * | statement, up to a semicolon at the end of a line | Payload |
 *
 * All pairs in comment lines behind the query's times become fields, also Rows_affected, Bytes_sent, Tmp_tables, Priority_queue and pairs that
 * newer servers add. Names of users and hosts may have any characters, and clients on the server's socket have no address. An entry with an
 * administrator command and no statement has the command as its Payload.
 *
 * With truncate_sql the statement is cut to that many bytes of UTF-8. The cut never splits a character, and three dots mark it. A negative number
 * removes that many bytes from the end, whatever the length of the statement.
 */
import { MARIADB_ENTRY, PERCONA_ENTRY, SLOW_QUERY_COLUMNS, SLOW_QUERY_SPLIT, SLOW_QUERY_TEXT } from '../lib/slow_query/slow_query_looks.ts';
import { SLOW_QUERY } from '../lib/parameters.ts';
import { slowQueryDecoder } from '../lib/slow_query/slow_query.ts';
import { ANY, COUNT, DECIMAL } from '../lib/slow_query/slow_query_forms.ts';
import { SLOW_QUERY_SUMMARY } from '../lib/summaries.ts';

const ENTRY = `# Time: 231020 12:34:56
# User@Host: root[root] @ localhost []
# Thread_id: 77  Schema: shop  QC_hit: No
# Query_time: 1.200000  Lock_time: 0.000053  Rows_sent: 1  Rows_examined: 2
# Rows_affected: 0  Bytes_sent: 61
# Full_scan: No  Full_join: Yes  Tmp_table: No  Tmp_table_on_disk: No
# Filesort: Yes  Filesort_on_disk: Yes  Merge_passes: 4  Priority_queue: No
SET timestamp=1614949679;
SELECT 1;
`;

export const meta: PluginMeta = {
  name: 'mariadb_slow_query',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes slow query logs of MariaDB.',
  split: SLOW_QUERY_SPLIT,
  columns: SLOW_QUERY_COLUMNS,
  recordSummary: SLOW_QUERY_SUMMARY,
  looks: [{ text: [...SLOW_QUERY_TEXT, MARIADB_ENTRY], without: PERCONA_ENTRY }],
  parameters: SLOW_QUERY,
  examples: [
    {
      title: 'a client on the socket, with the plan of the query',
      in: ENTRY,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'mariadb.slow-query',
        Hostname: 'localhost',
        Payload: 'SELECT 1;\n',
        Fields: {
          Thread_id: 77,
          Schema: 'shop',
          QC_hit: 'No',
          Query_time: { value: 1.2, representation: 's' },
          Lock_time: { value: 0.000053, representation: 's' },
          Rows_sent: 1,
          Rows_examined: 2,
          Rows_affected: 0,
          Bytes_sent: { value: 61, representation: 'B' },
          Full_scan: 'No',
          Full_join: 'Yes',
          Tmp_table: 'No',
          Tmp_table_on_disk: 'No',
          Filesort: 'Yes',
          Filesort_on_disk: 'Yes',
          Merge_passes: 4,
          Priority_queue: 'No',
        },
      },
    },
    {
      title: 'the last five bytes cut off',
      config: { truncate_sql: -5 },
      in: `# User@Host: app[app] @ dbone [10.1.2.3]
# Thread_id: 8  Schema:   QC_hit: No
# Query_time: 3.500000  Lock_time: 0.000100  Rows_sent: 5  Rows_examined: 90000
SET timestamp=1614949679;
SELECT 12345;
`,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'mariadb.slow-query',
        Hostname: '10.1.2.3',
        Payload: 'SELECT 12...',
        Fields: {
          Thread_id: 8,
          Schema: '',
          QC_hit: 'No',
          Query_time: { value: 3.5, representation: 's' },
          Lock_time: { value: 0.0001, representation: 's' },
          Rows_sent: 5,
          Rows_examined: 90000,
        },
      },
    },
    {
      title: 'an entry of MySQL',
      in: '# User@Host: app[app] @ dbone [10.1.2.3]\n# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000\nSET timestamp=1614949679;\nSELECT 1;\n',
      fails: 'no whole line # Thread_id',
    },
  ],
};

const decode = slowQueryDecoder({
  type: 'mariadb.slow-query',
  lines: [
    [
      ['Thread_id', COUNT],
      ['Schema', ANY],
      ['QC_hit', (value) => value === 'Yes' || value === 'No'],
    ],
    [
      ['Query_time', DECIMAL],
      ['Lock_time', DECIMAL],
      ['Rows_sent', COUNT],
      ['Rows_examined', COUNT],
    ],
  ],
  othersBefore: false,
});

export function process_message(): ProcessStatus {
  return decode();
}
