import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin } from '../support/sandbox.ts';

test.each([
  ['max', '5'],
  ['min', '-2'],
  ['sum', '4'],
  ['none', '1'],
])('%s of several values of a row', (aggregation, cell) => {
  const plugin = startPlugin('filters/field_graph.ts', { fields: 'a b', aggregation, rows: 2, sec_per_row: 10 });
  for (const a of [5, -2, 'x', 1]) plugin.process(plainMessage({ Timestamp: 12e9, Fields: { a, b: 7 } }));
  const { header, rows } = parseGraph(plugin.timer(0n).injected[0]?.Payload ?? '');
  expect(header).toMatchObject({
    columns: 2,
    seconds_per_row: 10,
    column_info: [
      { name: 'a', aggregation },
      { name: 'b', aggregation },
    ],
  });
  expect(rows.at(-1)?.[0]).toBe(cell);
});

test.each([
  [{ fields: ' ' }, 'fields names no field'],
  [{ fields: 'a b', labels: 'x' }, '2 fields, but 1 labels'],
  [{ fields: 'a', aggregation: 'avg' }, 'aggregation'],
  [{}, 'missing parameter: fields'],
])('does not start with %j', (config, reason) => {
  expect(() => startPlugin('filters/field_graph.ts', config as Record<string, string>)).toThrow(reason);
});
