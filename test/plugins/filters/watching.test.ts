import { expect, test } from 'vitest';
import { plainMessage, type Value } from '../support/message.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

function feed(plugin: RunningPlugin, second: number, message: InjectMessage): number {
  return plugin.process(plainMessage({ ...message, Timestamp: second * 1e9 })).rc;
}

/** The payloads of a tick by type. */
function tick(plugin: RunningPlugin, second: number): Record<string, string> {
  const { rc, reason, injected } = plugin.timer(BigInt(second) * 1_000_000_000n);
  expect({ rc, reason }).toEqual({ rc: 0, reason: '' });
  return Object.fromEntries(injected.map(({ Payload, Fields }) => [String(Fields[0]?.value[0]), Payload ?? '']));
}

/** The rows of a table, without its header. */
function table(payloads: Record<string, string>): string[] {
  return (payloads['tsv'] ?? '').split('\n').slice(1, -1);
}

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

/** Rows of the graph among the payloads. */
function rows(payloads: Record<string, string>): string[] {
  return (payloads['cbuf'] ?? '').split('\n').slice(1, -1);
}

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

test('rate: a value that is clearly more frequent takes a column', () => {
  const plugin = startPlugin('filters/rate.ts', { message_variable: 'Fields[ip]', top: 2, rows: 3 });
  const send = (second: number, ...ips: string[]): void => ips.forEach((ip) => feed(plugin, second, { Fields: { ip } }));
  send(0, 'a', 'b', 'a', 'c');
  expect(rows(tick(plugin, 1))).toEqual(['4\t2\t1', 'nan\tnan\tnan', 'nan\tnan\tnan']);
  send(60, 'c', 'c');
  const exchanged = tick(plugin, 61);
  expect(exchanged['cbuf']).toContain('{"name":"c","unit":"count","aggregation":"sum"}');
  expect(rows(exchanged)).toEqual(['4\t2\tnan', '2\tnan\tnan', 'nan\tnan\tnan']);
  send(120, 'c', 'b', 'c');
  const later = tick(plugin, 121);
  expect(rows(later)[2]).toBe('3\tnan\t2');
  expect(table(later)).toEqual(['a\t2', 'c\t2']);
});

test('rate: only the total, and messages without the variable', () => {
  const total = startPlugin('filters/rate.ts', { rows: 2 });
  feed(total, 0, { Payload: 'x' });
  expect(tick(total, 1)).toEqual({ cbuf: expect.stringMatching(/\n1\nnan\n$/) as string });
  const by = startPlugin('filters/rate.ts', { rows: 2, top: 1, message_variable: 'Fields[a]', title: 'T' });
  feed(by, 0, { Payload: 'x' });
  feed(by, 0, { Fields: { a: true } });
  expect(rows(tick(by, 1))[0]).toBe('2\t1');
});

test('rate: what was frequent long ago gives way', () => {
  const plugin = startPlugin('filters/rate.ts', { message_variable: 'Fields[v]', top: 1, rows: 4 });
  for (let i = 0; i < 100; i++) feed(plugin, 0, { Fields: { v: 'old' } });
  for (let second = 60; second <= 600; second += 60) {
    for (let i = 0; i < 10; i++) feed(plugin, second, { Fields: { v: 'new' } });
    tick(plugin, second);
  }
  expect(table(tick(plugin, 600))[0]).toMatch(/^new\t/);
});

test.each(['rate', 'frequent_items', 'heartbeat', 'rare_events'])('%s: a value makes one row of the table', (filter) => {
  const config = { message_variable: 'Fields[v]' };
  const plugin = startPlugin(`filters/${filter}.ts`, filter === 'frequent_items' ? { ...config, min_output_weight: 0 } : config);
  feed(plugin, 86_400, { Fields: { v: 'a\tb\n1.2.3.4\t99\r' } });
  expect(table(tick(plugin, 86_400))).toEqual([expect.stringMatching(/^a b 1\.2\.3\.4 99 \t[01]$/)]);
});

test.each(['frequent_items', 'unique_items', 'rate'])('%s: bytes are the text that they hold', (filter) => {
  const config = { message_variable: 'Fields[v]' };
  const plugin = startPlugin(`filters/${filter}.ts`, filter === 'frequent_items' ? { ...config, min_output_weight: 1 } : config);
  for (const type of [0, 1, 1]) {
    expect(plugin.process({ Timestamp: 86_400_000_000_000n, Fields: [{ name: 'v', value: ['abc'], value_type: type }] }).rc).toBe(0);
  }
  const payloads = tick(plugin, 86_400);
  if (filter === 'unique_items') expect(rows(payloads)[1]).toBe('1');
  else expect(table(payloads)).toEqual(['abc\t3']);
});

test('frequent items: very long values are told apart by their beginning and length', () => {
  const plugin = startPlugin('filters/frequent_items.ts', { message_variable: 'Payload', min_output_weight: 0 });
  const [a, b] = ['x'.repeat(5000), 'x'.repeat(5001)];
  for (const Payload of [a, b, a]) feed(plugin, 86_400, { Payload });
  const cut = 'x'.repeat(1000);
  expect(table(tick(plugin, 86_400))).toEqual([`${cut}… (5000 characters)\t2`, `${cut}… (5001 characters)\t1`]);
});
