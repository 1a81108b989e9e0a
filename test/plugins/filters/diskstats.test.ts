import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { message, tick, rowsOf } from '../support/worked.ts';

test('diskstats makes its rates anew when the interval changes', () => {
  const plugin = startPlugin('filters/diskstats.ts', { rows: 2 });
  const counters = ['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'];
  const times = ['TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO'];
  const reading = (time: number, value: number, TickerInterval: number): number =>
    plugin.process(message(time, { ...Object.fromEntries([...counters, ...times].map((name) => [name, value])), TickerInterval })).rc;
  expect(tick(plugin)).toEqual([]);
  expect([reading(0, 1, 5), reading(5, 3, 5), reading(10, 9, 10), reading(10, 9, 0)]).toEqual([0, 0, 0, -1]);
  const rates = tick(plugin).find(([, name]) => name === 'Disk Stats')?.[2] ?? '';
  expect(rates).toContain('"seconds_per_row":10,');
  expect(rates).toContain('"per_10_"');
  expect(rowsOf(rates)).toEqual(['nan\tnan\tnan\tnan\tnan\tnan', '6\t6\t6\t6\t6\t6']);
});
