import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const USER = '# User@Host: app[app] @ dbone [10.1.2.3]\n';
const SET = 'SET timestamp=1614949679;\n';

describe('mariadb_slow_query', () => {
  const decode = decoder('mariadb_slow_query');
  const THREAD = '# Thread_id: 77  Schema: shop  QC_hit: No\n';
  const TIMES = '# Query_time: 1.200000  Lock_time: 0.000053  Rows_sent: 1  Rows_examined: 2\n';
  const maria: Decoded = {
    ...{ Type: 'mariadb.slow-query', Hostname: '10.1.2.3', Timestamp: '1614949679000000000', Payload: 'SELECT 1;\n' },
    ...{ Thread_id: 77, Schema: 'shop', QC_hit: 'No' },
    ...{ Query_time: [1.2, 's'], Lock_time: [0.000053, 's'], Rows_sent: 1, Rows_examined: 2 },
  };
  const entry = (...lines: string[]): string => `${USER}${THREAD}${TIMES}${lines.join('')}${SET}SELECT 1;\n`;

  test.each([
    [entry(), {}],
    [
      entry(
        '# Full_scan: No  Full_join: Yes  Tmp_table: No  Tmp_table_on_disk: No\n',
        '# Filesort: Yes  Filesort_on_disk: Yes  Merge_passes: 4\n',
      ),
      {
        ...{ Full_scan: 'No', Full_join: 'Yes', Tmp_table: 'No', Tmp_table_on_disk: 'No' },
        ...{ Filesort: 'Yes', Filesort_on_disk: 'Yes', Merge_passes: 4 },
      },
    ],
    [
      entry('# Rows_affected: 0  Bytes_sent: 61\n', '# Tmp_tables: 1  Tmp_disk_tables: 0  Tmp_table_sizes: 254\n'),
      { Rows_affected: 0, Bytes_sent: [61, 'B'], Tmp_tables: 1, Tmp_disk_tables: 0, Tmp_table_sizes: [254, 'B'] },
    ],
    [
      entry('#\n', '# explain: id\tselect_type\n', '# explain: 1\tSIMPLE\n', '#\n', '# something: new and more\n', '# no pairs at all\n'),
      { explain: 'id\tselect_type\n1\tSIMPLE', something: 'new and more' },
    ],
    [entry('# Stored_routine: shop.recent\n'), { Stored_routine: 'shop.recent' }],
    [entry().replace('dbone [10.1.2.3]', 'localhost []'), { Hostname: 'localhost' }],
    [entry().replace('shop', ''), { Schema: '' }],
    [entry().replace('shop', '42'), { Schema: '42' }],
    [entry().replace('shop', 'my shop'), { Schema: 'my shop' }],
    [entry().replace('=1614949679', '=1614949679.250000'), { Timestamp: '1614949679250000000' }],
  ])('%j', (text, expected) => {
    expect(decode(text)).toEqual({ ...maria, ...expected });
  });

  test.each([
    [`${USER}${TIMES}${SET}SELECT 1;\n`, 'no whole line # Thread_id'],
    [entry().replace('QC_hit: No', 'QC_hit: Maybe'), 'no whole line # Thread_id'],
    [`${USER}${THREAD}${SET}SELECT 1;\n`, 'no whole line # Query_time'],
    [`${USER}${THREAD}${TIMES}SELECT 1;\n`, 'no line SET timestamp behind the comments'],
  ])('refuses %j', (text, reason) => {
    expect(decode(text)).toBe(`refused: ${reason}`);
  });
});
