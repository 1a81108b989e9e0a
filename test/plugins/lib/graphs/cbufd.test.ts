import { describe, expect, test } from 'vitest';
import { parseDeltas, parseLayout } from '../../../../plugins/lib/graphs/cbufd.ts';
import { CircularBuffer } from '../../../../plugins/modules/circular_buffer.ts';

describe('the text of changes', () => {
  test('is read row by row', () => {
    expect(parseDeltas('header\n1\t2\t3\n2\tnan\t-4\n3\t-4.56\t5.67\n')).toEqual({
      header: 'header',
      rows: [
        { ns: 1e9, values: [2, 3] },
        { ns: 2e9, values: [NaN, -4] },
        { ns: 3e9, values: [-4.56, 5.67] },
      ],
    });
  });

  test.each([
    '',
    'header',
    'header\n',
    'header\n1\t2',
    'header\n1\n',
    'header\n1\t\n',
    'header\n1\t2\n\n',
    'header\n1\t2\nrest\n',
    'header\n1.5\t2\n',
    'header\n-1\t2\n',
    'header\n1\tinf\n',
    'header\n1\t1e5\n',
    'header\n1\t.5\n',
    'header\n1\t5.\n',
    'header\n1\t+5\n',
    'header\n1 2\n',
    'header\r\n1\t2\r\n',
  ])('%j is none', (text) => {
    expect(parseDeltas(text)).toBeNull();
  });

  test('of a buffer comes back', () => {
    const buffer = new CircularBuffer(3, 2, 60, true).format('cbufd');
    buffer.set_header(1, 'Requests', 'count', 'sum');
    buffer.add(60e9, 1, 1.25);
    buffer.add(240e9, 2, 7);
    const text = parseDeltas(buffer.toPayload());
    expect(text?.rows).toEqual([
      { ns: 60e9, values: [1.25, NaN] },
      { ns: 240e9, values: [NaN, 7] },
    ]);
    expect(parseLayout(text?.header ?? '')).toEqual({
      ...{ rows: 3, columns: 2, seconds_per_row: 60 },
      column_info: [
        { name: 'Requests', unit: 'count', aggregation: 'sum' },
        { name: 'Column_2', unit: 'count', aggregation: 'sum' },
      ],
    });
  });
});

test('headers are those that a graph can have', () => {
  const column_info = [{ name: 'a name\n'.repeat(100_000), unit: 'req/s per host', aggregation: 'max' }];
  const layout = parseLayout(JSON.stringify({ rows: 2, columns: 1, seconds_per_row: 1, column_info }));
  expect(layout?.column_info).toEqual([{ name: 'a_name_a_name_a', unit: 'req/s_p', aggregation: 'max' }]);
});

test.each([
  '',
  'null',
  '[]',
  '{"rows":3}',
  '{"rows":1,"columns":1,"seconds_per_row":1,"column_info":[{"name":"a","unit":"b","aggregation":"sum"}]}',
  '{"rows":2,"columns":2,"seconds_per_row":1,"column_info":[{"name":"a","unit":"b","aggregation":"sum"}]}',
  '{"rows":2,"columns":1,"seconds_per_row":0.5,"column_info":[{"name":"a","unit":"b","aggregation":"sum"}]}',
  '{"rows":2,"columns":1,"seconds_per_row":1,"column_info":[{"name":"a","unit":"b","aggregation":"avg"}]}',
])('%j describes no graph', (header) => {
  expect(parseLayout(header)).toBeNull();
});
