import { expect, test } from 'vitest';
import { startPlugin } from '../support/sandbox.ts';
import { plainMessage } from '../support/message.ts';
import { feed, tick } from '../support/watch.ts';

/** Seconds from which times count: alerts are throttled for an hour after 1970. */
const DAY = 86_400;

type Plugin = ReturnType<typeof startPlugin>;

/** The alert that a message brings. */
function alertOf(plugin: Plugin, second: number, message: InjectMessage = {}): string | null {
  const { injected } = plugin.process(plainMessage({ ...message, Timestamp: (DAY + second) * 1e9 }));
  return injected[0]?.Payload ?? null;
}

test('count_alert: more than the number within the window is told once, and again after it was fewer', () => {
  const plugin = startPlugin('filters/count_alert.ts', { number: 2, window: 60, alert_throttle: 0 });
  const told = [0, 30, 50, 55, 200, 210, 220].map((second) => alertOf(plugin, second));
  expect(told.map((text) => text !== null)).toEqual([false, false, true, false, false, false, true]);
  expect(told[2]).toBe('Messages: 3 within 60 s, more than 2, at 1970-01-02T00:00:50.000Z');
});

test('count_alert: messages that are older than the window are not counted', () => {
  const plugin = startPlugin('filters/count_alert.ts', { number: 1, window: 60 });
  expect([100, 30, 39, 101].map((second) => alertOf(plugin, second) !== null)).toEqual([false, false, false, true]);
});

test('count_alert: fewer are told by a tick, once a whole window has passed', () => {
  const plugin = startPlugin('filters/count_alert.ts', { number: 2, window: 60, below: true, title: 'Jobs' });
  expect(tick(plugin, DAY + 0)).toEqual({});
  for (const second of [0, 10]) feed(plugin, DAY + second, {});
  expect(tick(plugin, DAY + 59)).toEqual({});
  expect(tick(plugin, DAY + 65)['alert']).toBe('Jobs: 1 within 60 s, fewer than 2, at 1970-01-02T00:01:05.000Z');
  expect(tick(plugin, DAY + 70)).toEqual({});
});

test.each<[string, InjectMessage, boolean]>([
  ['in the payload', { Payload: 'it TIMED out' }, true],
  ['in a field', { Fields: { status: 500, message: { value: ['x', 'Timed out'] } } }, true],
  ['nowhere', { Payload: 'on time', Fields: { status: 500 } }, false],
])('count_alert: a text %s', (_where, message, isFound) => {
  const plugin = startPlugin('filters/count_alert.ts', { number: 0, text: 'timed' });
  expect(alertOf(plugin, 1, message) !== null).toBe(isFound);
});
