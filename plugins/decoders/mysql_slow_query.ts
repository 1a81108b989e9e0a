/**
 * Decodes slow query logs of MySQL, one entry in each record: cut the log in front of its lines `# User@Host:`.
 *
 * | Part | Becomes |
 * |---|---|
 * | address of the client | Hostname |
 * | `SET timestamp=…` | Timestamp |
 * | Query_time and Lock_time | fields of these names with the representation `s` |
 * | Rows_sent and Rows_examined | fields of these names |
 * | statement, up to a semicolon at the end of a line | Payload |
 *
 * Names of users and hosts may have any characters. `Id:` behind the client becomes the field Connection_id, and the values of log_slow_extra
 * become fields of their names, as do the pairs of comment lines that MariaDB and Percona Server write. The client may have no address, as with clients
 * on the server's socket: then its name becomes the Hostname. An entry with an administrator command and no statement has the command as its Payload.
 *
 * With truncate_sql the statement is cut to that many bytes of UTF-8. The cut never splits a character, and three dots mark it. A negative number
 * removes that many bytes from the end, whatever the length of the statement.
 */
import { MARIADB_ENTRY, PERCONA_ENTRY, SLOW_QUERY_COLUMNS, SLOW_QUERY_SPLIT, SLOW_QUERY_TEXT } from '../lib/slow_query/slow_query_looks.ts';
import { SLOW_QUERY } from '../lib/parameters.ts';
import { slowQueryDecoder } from '../lib/slow_query/slow_query.ts';
import { COUNT, DECIMAL } from '../lib/slow_query/slow_query_forms.ts';
import { SLOW_QUERY_SUMMARY } from '../lib/summaries.ts';

const ENTRY = `# Time: 210305 13:07:59
# User@Host: app[app] @ dbone [10.1.2.3]
# Query_time: 3.500000  Lock_time: 0.000100 Rows_sent: 5  Rows_examined: 90000
use shop;
SET timestamp=1614949679;
SELECT * FROM orders
WHERE id > 5;
`;

const ENTRY_5 = `# Time: 210305 13:07:59
# User@Host: root[root] @ localhost []
# Query_time: 3.500000  Lock_time: 0.000000 Rows_sent: 1  Rows_examined: 0
SET timestamp=1614949679;
SELECT 1;
`;

const ENTRY_8 = `# Time: 2021-03-05T13:07:59.123456Z
# User@Host: shop-web_1[shop-web_1] @ localhost []  Id:    42
# Query_time: 2.000226  Lock_time: 0.000000 Rows_sent: 1  Rows_examined: 0 Thread_id: 42 Errno: 0 Bytes_sent: 57
SET timestamp=1614949679;
SELECT SLEEP(2);
`;

export const meta: PluginMeta = {
  name: 'mysql_slow_query',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes slow query logs of MySQL.',
  split: SLOW_QUERY_SPLIT,
  columns: SLOW_QUERY_COLUMNS,
  recordSummary: SLOW_QUERY_SUMMARY,
  looks: [{ text: SLOW_QUERY_TEXT, without: [PERCONA_ENTRY, MARIADB_ENTRY] }],
  parameters: SLOW_QUERY,
  examples: [
    {
      title: 'a statement of two lines',
      in: ENTRY,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'mysql.slow-query',
        Hostname: '10.1.2.3',
        Payload: 'SELECT * FROM orders\nWHERE id > 5;\n',
        Fields: {
          Query_time: { value: 3.5, representation: 's' },
          Lock_time: { value: 0.0001, representation: 's' },
          Rows_sent: 5,
          Rows_examined: 90000,
        },
      },
    },
    {
      title: 'MySQL 8 with log_slow_extra, the statement cut',
      config: { truncate_sql: 10 },
      in: ENTRY_8,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'mysql.slow-query',
        Hostname: 'localhost',
        Payload: 'SELECT SLE...',
        Fields: {
          Connection_id: 42,
          Query_time: { value: 2.000226, representation: 's' },
          Lock_time: { value: 0, representation: 's' },
          Rows_sent: 1,
          Rows_examined: 0,
          Thread_id: 42,
          Errno: 0,
          Bytes_sent: { value: 57, representation: 'B' },
        },
      },
    },
    {
      title: 'MySQL 5.5, a client on the socket',
      in: ENTRY_5,
      out: {
        Timestamp: '1614949679000000000',
        Type: 'mysql.slow-query',
        Hostname: 'localhost',
        Payload: 'SELECT 1;\n',
        Fields: {
          Query_time: { value: 3.5, representation: 's' },
          Lock_time: { value: 0, representation: 's' },
          Rows_sent: 1,
          Rows_examined: 0,
        },
      },
    },
    {
      title: 'the lines that a server writes when it opens its log',
      in: 'Tcp port: 3306  Unix socket: /run/mysqld/mysqld.sock\nTime                 Id Command    Argument\n',
      fails: 'no line # User@Host at the start',
    },
    {
      title: 'an entry that was cut off',
      in: '# User@Host: app[app] @  [10.1.2.3]\n# Query_time: 3.500000  Lock_ti',
      fails: 'no whole line # Query_time',
    },
  ],
};

const decode = slowQueryDecoder({
  type: 'mysql.slow-query',
  lines: [
    [
      ['Query_time', DECIMAL],
      ['Lock_time', DECIMAL],
      ['Rows_sent', COUNT],
      ['Rows_examined', COUNT],
    ],
  ],
  othersBefore: true,
});

export function process_message(): ProcessStatus {
  return decode();
}
