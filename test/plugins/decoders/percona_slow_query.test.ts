import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const USER = '# User@Host: app[app] @ dbone [10.1.2.3]\n';
const SET = 'SET timestamp=1614949679;\n';

describe('percona_slow_query', () => {
  const INFO = '# Schema: my-db~1._  Last_errno: -1  Killed: 0\n';
  const TIMES = '# Query_time: 1.5  Lock_time: 0.0  Rows_sent: 4  Rows_examined: 5  Rows_affected: 0\n';
  const percona: Decoded = {
    ...{ Type: 'percona.slow-query', Hostname: '10.1.2.3', Timestamp: '1614949679000000000', Payload: 'SELECT 1;\n' },
    ...{ Schema: 'my-db~1._', Last_errno: -1, Killed: 0 },
    ...{ Query_time: [1.5, 's'], Lock_time: [0, 's'], Rows_sent: 4, Rows_examined: 5, Rows_affected: 0 },
  };
  const entry = (...lines: string[]): string => `${USER}${INFO}${TIMES}${lines.join('')}${SET}SELECT 1;\n`;

  test.each([
    [entry(), {}],
    [entry().replace('# Schema', '# Thread_id: 3  Schema'), { Thread_id: 3 }],
    [entry().replace('Rows_affected: 0', 'Rows_affected: 0  Rows_read: 9'), { Rows_read: 9 }],
    [
      entry('# Bytes_sent: 278  Tmp_tables: 0  Tmp_disk_tables: 1  Tmp_table_sizes: 126\n', '# Stored routine: a.b-c\n'),
      { Bytes_sent: [278, 'B'], Tmp_tables: 0, Tmp_disk_tables: 1, Tmp_table_sizes: [126, 'B'], Stored_routine: 'a.b-c' },
    ],
    [
      entry(
        '# QC_Hit: No  Full_scan: Yes  Full_join: No  Tmp_table: No  Tmp_table_on_disk: No\n',
        '# Filesort: No  Filesort_on_disk: No  Merge_passes: 0\n',
        '#   InnoDB_IO_r_ops: 6415  InnoDB_IO_r_bytes: 105103360  InnoDB_IO_r_wait: 0.001279\n',
        '#   InnoDB_rec_lock_wait: 0.000000  InnoDB_queue_wait: 0.000000\n',
        '#   InnoDB_pages_distinct: 6430\n',
      ),
      {
        ...{ QC_hit: 'No', Full_scan: 'Yes', Full_join: 'No', Tmp_table: 'No', Tmp_table_on_disk: 'No' },
        ...{ Filesort: 'No', Filesort_on_disk: 'No', Merge_passes: 0, InnoDB_IO_r_ops: 6415, InnoDB_IO_r_bytes: [105103360, 'B'] },
        ...{ InnoDB_IO_r_wait: [0.001279, 's'], InnoDB_rec_lock_wait: [0, 's'], InnoDB_queue_wait: [0, 's'], InnoDB_pages_distinct: 6430 },
      },
    ],
    [entry('# InnoDB_trx_id: 1500\n', '# No InnoDB statistics available for this query\n'), { InnoDB_trx_id: '1500' }],
  ])('%j', (text, expected) => {
    expect(decoder('percona_slow_query')(text)).toEqual({ ...percona, ...expected });
  });

  test.each([`${USER}${TIMES}${SET}SELECT 1;\n`, entry().replace('Killed: 0', 'Killed: x'), entry().replace('  Rows_affected: 0', '')])(
    'refuses %j',
    (text) => {
      expect(decoder('percona_slow_query')(text)).toMatch(/^refused: no whole line # /);
    },
  );
});
