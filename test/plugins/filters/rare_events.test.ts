import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { feed, tick, table } from '../support/watch.ts';

test('rare events: what becomes frequent leaves the list', () => {
  const plugin = startPlugin('filters/rare_events.ts', { max_count: 2, learn_count: 3, alerts: true });
  for (const Payload of ['job 1', 'job 2', 'x y']) feed(plugin, 0, { Payload });
  expect(tick(plugin, 1)).not.toHaveProperty('alert');
  for (const Payload of ['job 3', 'disk 4 failed', 'x y']) feed(plugin, 5, { Payload });
  const payloads = tick(plugin, 6);
  expect(payloads['alert']).toBe('rare: disk 4 failed');
  expect(table(payloads)).toEqual(['disk <num> failed\t1', 'x y\t2']);
  expect(JSON.parse(payloads['json'] ?? '')).toEqual({
    rare: [
      { value: 'disk <num> failed', count: 1, first: 5000, last: 5000, example: 'disk 4 failed' },
      { value: 'x y', count: 2, first: 0, last: 5000, example: 'x y' },
    ],
  });
  expect(tick(plugin, 7)).not.toHaveProperty('alert');
});

test('rare events: exact values, and the newest of them', () => {
  const plugin = startPlugin('filters/rare_events.ts', { message_variable: 'Fields[n]', max_items: 2 });
  for (const n of [1, 2, 3]) feed(plugin, n, { Fields: { n } });
  expect(table(tick(plugin, 9))).toEqual(['3\t1', '2\t1']);
  expect(feed(plugin, 9, { Fields: { n: '' } })).toBe(-1);
});
