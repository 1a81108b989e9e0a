import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { feed, tick, table } from '../support/watch.ts';

test('heartbeat: silence and return are reported once', () => {
  const plugin = startPlugin('filters/heartbeat.ts', { timeout: 60, forget_seconds: 600 });
  feed(plugin, 0, { Hostname: 'a' });
  feed(plugin, 50, { Hostname: 'b' });
  expect(tick(plugin, 59)).not.toHaveProperty('alert');
  expect(tick(plugin, 60)['alert']).toBe('Hostname a: silent since 1970-01-01T00:00:00.000Z (60 s)');
  expect(tick(plugin, 100)).not.toHaveProperty('alert');
  feed(plugin, 105, { Hostname: 'a' });
  feed(plugin, 104, { Hostname: 'a' });
  const back = tick(plugin, 110);
  expect(back['alert']?.split('\n')).toEqual([
    'Hostname a: back at 1970-01-01T00:01:45.000Z after 105 s',
    'Hostname b: silent since 1970-01-01T00:00:50.000Z (60 s)',
  ]);
  expect(table(back)).toEqual(['b\t60', 'a\t5']);
  expect(tick(plugin, 170)['alert']).toMatch(/^Hostname a: silent since 1970-01-01T00:01:45.000Z \(65 s\)$/);
  expect(table(tick(plugin, 650))).toEqual(['a\t545']);
  expect(table(tick(plugin, 705))).toEqual([]);
});

test('heartbeat: a late message brings nothing back', () => {
  const plugin = startPlugin('filters/heartbeat.ts', { timeout: 60 });
  feed(plugin, 100, { Hostname: 'a' });
  tick(plugin, 160);
  feed(plugin, 90, { Hostname: 'a' });
  expect(tick(plugin, 170)).not.toHaveProperty('alert');
});

test('heartbeat: after the clock was ten years ahead, silence counts from now', () => {
  const plugin = startPlugin('filters/heartbeat.ts', { timeout: 60, forget_seconds: 0 });
  feed(plugin, 315e6, { Hostname: 'a' });
  expect(tick(plugin, 100)).not.toHaveProperty('alert');
  feed(plugin, 130, { Hostname: 'a' });
  expect(tick(plugin, 189)).not.toHaveProperty('alert');
  expect(tick(plugin, 190)['alert']).toBe('Hostname a: silent since 1970-01-01T00:02:10.000Z (60 s)');
});

test('heartbeat: at most so many sources', () => {
  const plugin = startPlugin('filters/heartbeat.ts', { message_variable: 'Fields[n]', max_sources: 2, forget_seconds: 0 });
  for (const [second, n] of [2, 1, 3].entries()) feed(plugin, second, { Fields: { n } });
  expect(table(tick(plugin, 10))).toEqual(['1\t9', '3\t8']);
});
