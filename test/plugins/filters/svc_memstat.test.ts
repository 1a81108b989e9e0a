import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin } from '../support/sandbox.ts';

test('keeps the largest value of a row, and passes over what is no number', () => {
  const plugin = startPlugin('filters/svc_memstat.ts', { rows: 2, sec_per_row: 10 });
  for (const HeapAlloc of [5, 9, 'x', 7]) expect(plugin.process(plainMessage({ Timestamp: 12e9, Fields: { HeapAlloc } })).rc).toBe(0);
  expect(plugin.process(plainMessage({ Timestamp: 13e9, Fields: { other: 1 } })).rc).toBe(0);
  const { header, rows } = parseGraph(plugin.timer(0n).injected[0]?.Payload ?? '');
  expect(header).toMatchObject({ columns: 6, seconds_per_row: 10 });
  expect(rows.at(-1)).toEqual(['nan', '9', 'nan', 'nan', 'nan', 'nan']);
});
