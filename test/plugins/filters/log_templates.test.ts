import { expect, test } from 'vitest';
import { plainMessage, type Value } from '../support/message.ts';
import { startPlugin, type Outcome, type RunningPlugin } from '../support/sandbox.ts';

const FILE = 'filters/log_templates.ts';

function feed(plugin: RunningPlugin, second: number, ...lines: string[]): void {
  for (const Payload of lines) expect(plugin.process(plainMessage({ Timestamp: second * 1e9, Payload }))).toMatchObject({ rc: 0 });
}

interface Entry {
  id: number;
  pattern: string;
  count: number;
  state: string;
}

/** Runs a tick and reads what it injected. */
function tick(plugin: RunningPlugin, second: number): { table: string; entries: Entry[]; alert: string | undefined } {
  const outcome: Outcome = plugin.timer(BigInt(second) * 1_000_000_000n);
  expect(outcome).toMatchObject({ rc: 0, reason: '' });
  const payload = (type: string): string | undefined => outcome.injected.find(({ Fields }) => Fields[0]?.value[0] === type)?.Payload;
  const { patterns } = JSON.parse(payload('json') ?? '') as { patterns: Entry[] };
  return { table: payload('tsv') ?? '', entries: patterns, alert: payload('alert') };
}

function states(entries: readonly Entry[]): Record<string, string> {
  return Object.fromEntries(entries.map(({ pattern, state }) => [pattern, state]));
}

test('new patterns are reported once, and not while it learns', () => {
  const plugin = startPlugin(FILE, { learn_seconds: 60, alerts: true });
  feed(plugin, 0, 'job 1 done', 'job 2 done');
  feed(plugin, 59, 'disk sda1 is full');
  expect(tick(plugin, 60)).toMatchObject({ alert: undefined });
  feed(plugin, 61, 'job 3 done', 'kernel panic');
  const { entries, alert } = tick(plugin, 120);
  expect(states(entries)).toEqual({ 'job <num> done': 'known', 'disk sda1 is full': 'known', 'kernel panic': 'new' });
  expect(alert).toBe('new pattern: kernel panic (1 lines, such as: kernel panic)');
  const later = tick(plugin, 180);
  expect([states(later.entries)['kernel panic'], later.alert]).toEqual(['known', undefined]);
});

test('patterns that vanish are reported once, until they come back', () => {
  const plugin = startPlugin(FILE, { gone_seconds: 100, gone_count: 3, alerts: true });
  feed(plugin, 0, 'beat 1', 'beat 2', 'beat 3', 'rare thing');
  expect(tick(plugin, 99).alert).toBeUndefined();
  expect(tick(plugin, 100).alert).toBe('pattern gone since 1970-01-01T00:00:00.000Z: beat <num> (3 lines)');
  const gone = tick(plugin, 160);
  expect(gone).toMatchObject({ alert: undefined });
  expect(states(gone.entries)).toEqual({ 'beat <num>': 'gone', 'rare thing': 'known' });
  feed(plugin, 200, 'beat 4');
  expect(states(tick(plugin, 200).entries)['beat <num>']).toBe('known');
  expect(tick(plugin, 300).alert).toMatch(/^pattern gone since 1970-01-01T00:03:20.000Z: beat <num> \(4 lines\)$/);
});

test('when the clock was ahead and is set back, patterns are new and gone in their time', () => {
  const ahead = 10 * 365 * 86_400;
  const plugin = startPlugin(FILE, { learn_seconds: 60, gone_seconds: 100, gone_count: 2, alerts: true });
  feed(plugin, ahead, 'beat 1', 'beat 2');
  tick(plugin, ahead + 1);
  tick(plugin, 1000);
  feed(plugin, 1061, 'kernel panic');
  expect(tick(plugin, 1062).alert).toBe('new pattern: kernel panic (1 lines, such as: kernel panic)');
  expect(tick(plugin, 1099).alert).toBeUndefined();
  expect(tick(plugin, 1100).alert).toBe('pattern gone since 1970-01-01T00:16:40.000Z: beat <num> (2 lines)');
});

test('without gone_seconds nothing is missed', () => {
  const plugin = startPlugin(FILE, { gone_seconds: 0, gone_count: 1 });
  feed(plugin, 0, 'once');
  expect(tick(plugin, 1e6).entries[0]?.state).toBe('known');
});

test('the most frequent patterns come first, up to max_output', () => {
  const plugin = startPlugin(FILE, { max_output: 2 });
  feed(plugin, 0, 'c', 'a', 'b', 'b', 'a', 'a');
  expect(tick(plugin, 1).table).toBe('Pattern\tWeight\na\t3\nb\t2\n');
});

test('an output stays below the limit', () => {
  const plugin = startPlugin(FILE, { max_output: 1000, max_patterns: 1000, alerts: true, learn_seconds: 0 });
  const word = (i: number): string => `w${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}q`;
  for (let i = 0; i < 600; i++) feed(plugin, i, `${word(i)} ${'é'.repeat(400)} ${word(i)} b`);
  const { table, entries, alert } = tick(plugin, 600);
  for (const text of [table, JSON.stringify(entries), alert ?? '']) {
    expect(Buffer.byteLength(text)).toBeGreaterThan(50_000);
    expect(Buffer.byteLength(text)).toBeLessThan(64_000);
  }
});

test.each<[config: Record<string, Value>, error: string]>([
  [{ similarity: 1.5 }, 'similarity must be a number from 0 to 1'],
  [{ max_patterns: 5 }, 'max_patterns must be a whole number from 10 on, not 5'],
])('refuses %j', (config, error) => {
  expect(() => startPlugin(FILE, config)).toThrow(error);
});

test('another variable, also of numbers', () => {
  const plugin = startPlugin(FILE, { message_variable: 'Fields[code]' });
  for (const code of [404, 500]) expect(plugin.process(plainMessage({ Timestamp: 0, Fields: { code } })).rc).toBe(0);
  expect(plugin.process(plainMessage({ Timestamp: 0, Payload: 'x' }))).toMatchObject({ rc: -1, reason: 'Fields[code] is not set' });
  expect(tick(plugin, 1).table).toBe('Pattern\tWeight\n<num>\t2\n');
});
