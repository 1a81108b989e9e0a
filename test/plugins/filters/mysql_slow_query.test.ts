import { expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin } from '../support/sandbox.ts';

test('counts what it refuses, and takes the columns before', () => {
  const plugin = startPlugin('filters/mysql_slow_query.ts', { rows: 2 });
  const see = (second: number, Fields: Record<string, string | number>): string =>
    plugin.process(plainMessage({ Timestamp: second * 1e9, Fields })).reason;
  const all = { Query_time: 4, Lock_time: 1, Rows_examined: 5, Rows_sent: 5 };
  expect([see(0, all), see(1, { ...all, Rows_sent: 'x' }), see(2, all), see(-60, all)]).toEqual(['', 'Rows_sent is not a number', '', '']);
  expect(parseGraph(plugin.timer(0n).injected[0]?.Payload ?? '').rows[0]).toEqual(['2.66666667', '0.66666667', '3', '3', '3']);
});
