/** Filters with more data than an output, a tick or their memory holds. */
import { describe, expect, test } from 'vitest';
import { plainMessage, type PlainMessage } from '../support/message.ts';
import { parseGraph } from '../support/payloads.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

const OUTPUT = 64_512;

function feed(plugin: RunningPlugin, second: number, message: InjectMessage): [rc: number, reason: string] {
  const { rc, reason } = plugin.process(plainMessage({ ...message, Timestamp: second * 1e9 }));
  return [rc, reason];
}

function tick(plugin: RunningPlugin): PlainMessage[] {
  const { rc, reason, injected } = plugin.timer(0n);
  expect([rc, reason]).toEqual([0, '']);
  for (const { Payload = '' } of injected) expect(Buffer.byteLength(Payload)).toBeLessThan(OUTPUT);
  return injected;
}

const nameOf = ({ Fields }: PlainMessage): string => String(Fields[1]?.value[0]);

test('a graph goes out without its oldest rows', () => {
  const plugin = startPlugin('filters/loadavg.ts', { sec_per_row: 1 });
  const value = 123456.12345678;
  for (let second = 0; second < 2000; second++) {
    feed(plugin, second, { Fields: { '1MinAvg': second, '5MinAvg': value, '15MinAvg': value, NumProcesses: value } });
  }
  const { header, rows } = parseGraph(tick(plugin)[0]?.Payload ?? '');
  expect(rows.length).toBeGreaterThan(800);
  expect(header).toMatchObject({ time: 2000 - rows.length, rows: rows.length, columns: 4 });
  expect([rows[0]?.[0], rows.at(-1)?.[0]]).toEqual([String(2000 - rows.length), '1999']);
});

test('a table goes out without its lightest values', () => {
  const plugin = startPlugin('filters/frequent_items.ts', { message_variable: 'Payload', min_output_weight: 0 });
  for (let i = 0; i < 1000; i++) feed(plugin, 86_400, { Payload: `${'long '.repeat(50)}${i}` });
  feed(plugin, 86_400, { Payload: `${'long '.repeat(50)}999` });
  const lines = tick(plugin)[0]?.Payload?.split('\n') ?? [];
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.slice(0, 2)).toEqual(['Payload\tWeight', `${'long '.repeat(50)}999\t2`]);
});

describe('message_schema', () => {
  const MORE = '(there are more names than these)';

  test('says that not all fits into the output', () => {
    const plugin = startPlugin('filters/message_schema.ts');
    for (let i = 0; i < 2000; i++) feed(plugin, 0, { Logger: `a logger with a rather long name ${i}` });
    expect(tick(plugin)[0]?.Payload?.trimEnd().split('\n').at(-1)).toBe(MORE);
  });

  test('has room for so many names', () => {
    const plugin = startPlugin('filters/message_schema.ts');
    for (let i = 0; i < 30_000; i++) feed(plugin, 0, { Logger: 'l', Fields: { [`${i}`]: 1 } });
    const lines = tick(plugin)[0]?.Payload?.trimEnd().split('\n') ?? [];
    expect(lines[3]).toBe('l [30000]');
    expect(lines.at(-1)).toBe(MORE);
  });

  test('keeps counting what it knows', () => {
    const plugin = startPlugin('filters/message_schema.ts');
    feed(plugin, 0, { Fields: { a: 1 } });
    for (let i = 0; i < 10_100; i++) feed(plugin, 0, { Logger: `${i}` });
    feed(plugin, 0, { Fields: { a: 'x' } });
    expect(tick(plugin)[0]?.Payload).toContain('-no logger- [2]\n    -no type- [2]\n         -no version- [2]\n            a (mismatch)\n');
  });
});

describe('influx_batch', () => {
  test('a batch goes out before it outgrows the output', () => {
    const plugin = startPlugin('filters/influx_batch.ts', { tag_fields: 'none' });
    const payloads: string[] = [];
    for (let i = 0; i < 300; i++) {
      const { rc, injected } = plugin.process(plainMessage({ Timestamp: 0, Fields: { a: `${'é'.repeat(250)}${i}` } }));
      expect(rc).toBe(0);
      payloads.push(...injected.map(({ Payload = '' }) => Payload));
    }
    expect(payloads.length).toBe(2);
    payloads.push(...tick(plugin).map(({ Payload = '' }) => Payload));
    expect(payloads.every((payload) => Buffer.byteLength(payload) <= 60_000)).toBe(true);
    const numbers = payloads.flatMap((payload) => payload.trimEnd().split('\n')).map((line) => /(\d+)" 0$/.exec(line)?.[1]);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, i) => String(i)));
    expect(tick(plugin)).toEqual([]);
  });

  test('a message that is too long is refused', () => {
    const plugin = startPlugin('filters/influx_batch.ts');
    expect(feed(plugin, 0, { Fields: { a: 'x'.repeat(60_000) } })).toEqual([-1, 'the lines of the message are too long']);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, 'x'.repeat(10_000)]));
    expect(feed(startPlugin('filters/influx_batch.ts', { tag_fields: 'all' }), 0, { Fields: many })[0]).toBe(-1);
    expect(feed(plugin, 0, { Fields: { a: 1 } })).toEqual([0, '']);
    expect(tick(plugin)).toHaveLength(1);
  });
});

describe.each(['cbufd_aggregator', 'cbufd_host_aggregator'])('%s', (filter) => {
  const config = filter === 'cbufd_aggregator' ? {} : { max_hosts: 2, rows: 2 };
  const layout = (rows: number, columns: number): string =>
    `${JSON.stringify({
      time: 0,
      rows,
      columns,
      seconds_per_row: 60,
      column_info: Array.from({ length: columns }, () => ({ name: 'a', unit: 'b', aggregation: 'sum' })),
    })}\n`;
  const payload = (name: string, rows = 2, columns = 1): InjectMessage => ({
    Payload: `${layout(rows, columns)}60\t1\n`,
    Fields: { payload_name: name },
  });

  test('graphs take turns', () => {
    const plugin = startPlugin(`filters/${filter}.ts`, config);
    for (let i = 0; i < 25; i++) expect(feed(plugin, 0, payload(`g${i}`))).toEqual([0, '']);
    const ticks = Array.from({ length: 5 }, () => tick(plugin).map(nameOf));
    expect(ticks.map((names) => names.length)).toEqual([10, 10, 10, 10, 10]);
    const counts = Map.groupBy(ticks.flat(), (name) => name);
    expect([...counts.values()].map((names) => names.length)).toEqual(Array.from({ length: 25 }, () => 2));
  });

  test('as many as may be', () => {
    const plugin = startPlugin(`filters/${filter}.ts`, { ...config, outputs_per_tick: 40 });
    for (let i = 0; i < 25; i++) feed(plugin, 0, payload(`g${i}`));
    expect(tick(plugin)).toHaveLength(25);
    expect(() => startPlugin(`filters/${filter}.ts`, { ...config, outputs_per_tick: 0 })).toThrow('outputs_per_tick must be');
  });

  test('graphs have so much room', () => {
    const plugin = startPlugin(`filters/${filter}.ts`, { ...config, max_cells: 2000 });
    const [rows, columns] = filter === 'cbufd_aggregator' ? [250, 3] : [2, 5];
    expect(feed(plugin, 0, payload('a', rows, columns))).toEqual([0, '']);
    expect(feed(plugin, 0, payload('b', rows, columns))[1]).toContain('max_cells');
    expect(feed(plugin, 0, payload('a', rows, columns))).toEqual([0, '']);
    expect(feed(plugin, 0, payload('c'))[0]).toBe(filter === 'cbufd_aggregator' ? 0 : -1);
  });

  test('refuses rows longer than the layout', () => {
    const plugin = startPlugin(`filters/${filter}.ts`, config);
    const { Payload, ...rest } = payload('a');
    expect(feed(plugin, 0, { ...rest, Payload: `${Payload}60\t1\t2\n` })).toEqual([-1, 'the payload has more columns than its layout']);
  });

  test('passes over times that are none', () => {
    const plugin = startPlugin(`filters/${filter}.ts`, config);
    const { Payload, ...rest } = payload('a');
    expect(feed(plugin, 0, { ...rest, Payload: `${Payload}${'9'.repeat(400)}\t1\n${'9'.repeat(30)}\t1\n` })).toEqual([0, '']);
    expect(tick(plugin)[0]?.Payload).toContain('{"time":0,');
  });
});

test.each([500, 501])('cbufd_aggregator: a graph of %i columns', (columns) => {
  const plugin = startPlugin('filters/cbufd_aggregator.ts', { enable_delta: true });
  const column_info = Array.from({ length: columns }, () => ({ name: 'fifteen_letters', unit: 'seconds', aggregation: 'sum' }));
  const layout = JSON.stringify({ time: 0, rows: 2, columns, seconds_per_row: 60, column_info });
  const row = `\t-${'7'.repeat(300)}`.repeat(columns);
  const status = feed(plugin, 0, { Payload: `${layout}\n0${row}\n60${row}\n`, Fields: { payload_name: 'wide' } });
  expect(status).toEqual(columns === 500 ? [0, ''] : [-1, 'the layout has more than 500 columns']);
  expect(tick(plugin).map(({ Fields }) => Fields[0]?.value[0])).toEqual(columns === 500 ? ['cbuf', 'cbufd'] : []);
});

describe('process_message_failures', () => {
  const entry = (Name: string): object => ({ Name, ProcessMessageFailures: { value: 1 } });
  const report = (...names: string[]): InjectMessage => ({ Payload: JSON.stringify({ filters: names.map(entry) }) });

  test('takes reports without sections', () => {
    const plugin = startPlugin('filters/process_message_failures.ts');
    for (const Payload of ['{}', '[]', '{"filters":{}}', '{"filters":5}']) expect(feed(plugin, 0, { Payload })).toEqual([0, '']);
    for (const Payload of ['5', 'null', '"x"', '']) expect(feed(plugin, 0, { Payload })[0]).toBe(-1);
  });

  test('starts anew with a plugin that was away', () => {
    const plugin = startPlugin('filters/process_message_failures.ts', { anomaly_config: 'roc("DEFAULT", 1, 1, 0, 0, false, true)' });
    for (const minute of [1, 2]) feed(plugin, minute * 60, report('f', 'g'));
    feed(plugin, 180, report('g'));
    expect(plugin.timer(240_000_000_000n).injected).toEqual([]);
    for (const minute of [62, 64]) feed(plugin, minute * 60, report('f', 'g'));
    const alert = plugin.timer(65n * 60_000_000_000n).injected[0]?.Payload ?? '';
    expect(alert.split('\n').map((line) => line.split(' ')[0])).toEqual(['g', 'f']);
  });
});

test('diskstats: columns before a field that is not a number keep their values', () => {
  const plugin = startPlugin('filters/diskstats.ts', { rows: 2 });
  const all = (value: number): Record<string, number> =>
    Object.fromEntries(
      [
        ...['WritesCompleted', 'ReadsCompleted', 'SectorsWritten', 'SectorsRead', 'WritesMerged', 'ReadsMerged'],
        ...['TimeWriting', 'TimeReading', 'TimeDoingIO', 'WeightedTimeDoingIO'],
      ].map((name) => [name, value]),
    );
  const read = (second: number, fields: Record<string, number | string>): string =>
    feed(plugin, second, { Fields: { TickerInterval: 5.5, ...fields } })[1];
  expect(read(0, { ...all(1), TimeDoingIO: 'x' })).toBe('TimeDoingIO is not a number');
  expect(tick(plugin).map(({ Payload }) => Payload?.split('\n')[1])).toEqual(['1\t1\tnan\tnan']);
  expect(read(0, { ...all(1), SectorsRead: 'x' })).toBe('SectorsRead is not a number');
  expect(read(5, all(4))).toBe('');
  const [times = '', rates = ''] = tick(plugin).map(({ Payload = '' }) => Payload);
  expect(times.split('\n').slice(1)).toEqual(['1\t1\t1\t1', '4\t4\t4\t4', '']);
  expect(rates).toContain('"unit":"per_5_5"');
  expect(rates.split('\n').slice(1)).toEqual(['nan\tnan\tnan\tnan\tnan\tnan', '3\t3\t3\tnan\tnan\tnan', '']);
  for (const interval of [Infinity, NaN, 1e300, 0.5, -5])
    expect(read(10, { ...all(9), TickerInterval: interval })).toMatch(/^TickerInterval is/);
});
