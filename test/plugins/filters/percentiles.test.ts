import { expect, test } from 'vitest';
import type { Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';
import { feed, tick, rows } from '../support/watch.ts';

test('percentiles: late messages count in their row, very late ones do not', () => {
  const config = { message_variable: 'Fields[t]', percentiles: '50 99.9', rows: 20, sec_per_row: 1 };
  const plugin = startPlugin('filters/percentiles.ts', config);
  const send = (second: number, ...values: Value[]): number[] => values.map((t) => feed(plugin, second, { Fields: { t } }));
  expect(send(15, 1, 2, 3, 'x')).toEqual([0, 0, 0, -1]);
  expect(send(19, 7)).toEqual([0]);
  expect(rows(tick(plugin, 19)).slice(14)).toEqual([
    'nan\tnan\tnan',
    '2\t2\t3',
    'nan\tnan\tnan',
    'nan\tnan\tnan',
    'nan\tnan\tnan',
    '7\t7\t1',
  ]);
  send(15, 10, 11);
  expect(rows(tick(plugin, 19))[15]).toBe('3\t10\t5');
  send(25, 5);
  send(15, 99);
  send(16, 4);
  expect(rows(tick(plugin, 25)).slice(9, 11)).toEqual(['3\t10\t5', '4\t4\t1']);
});

test.each(['50 x', '101', '-1'])('percentiles: refuses %j', (percentiles) => {
  expect(() => startPlugin('filters/percentiles.ts', { message_variable: 'Pid', percentiles })).toThrow(
    'percentiles must be numbers from 0 to 100',
  );
});

test('percentiles: many numbers', () => {
  const plugin = startPlugin('filters/percentiles.ts', { message_variable: 'Fields[t]', rows: 2 });
  for (let t = 1; t <= 2000; t++) feed(plugin, 0, { Fields: { t } });
  const [p50, p90, p99, count] = rows(tick(plugin, 0))[0]?.split('\t').map(Number) ?? [];
  expect(count).toBe(2000);
  for (const [actual, expected] of [
    [p50, 1000],
    [p90, 1800],
    [p99, 1980],
  ] as const)
    expect(Math.abs((actual ?? 0) / expected - 1)).toBeLessThan(0.011);
});
