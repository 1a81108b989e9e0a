/** Random messages, once through a filter and once through its plain counterpart: status of each message and output of each tick are the same. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Field, PlainMessage, Value } from '../support/message.ts';
import { cellText, first, NaiveGraph, timeOf, type Output } from '../support/naive.ts';
import {
  graphFilter,
  storeAll,
  diskStats,
  slowQueries,
  frequentItems,
  messageSchema,
  aggregator,
  hostAggregator,
  LOADS,
  MEMORY,
  HEAP,
  QUERY,
  COUNTERS,
  TIMES,
  MAX_HOSTS,
  EXPIRATION,
  layout,
  rows,
  type Subject,
} from '../support/naive-filters.ts';
import { startPlugin } from '../support/sandbox.ts';

interface Compared extends Subject {
  /** Names of fields. */
  readonly fields: readonly string[];
  readonly payloads?: fc.Arbitrary<string>;
  /** More values of fields. */
  readonly values?: fc.Arbitrary<Value[]>;
}

const number = fc.oneof(
  fc.integer({ min: -5, max: 700 }),
  fc.integer({ min: 0, max: 80 }).map((n) => n / 8),
);

const cell = fc.oneof(
  { weight: 5, arbitrary: number.map(cellText) },
  { weight: 1, arbitrary: fc.constantFrom('nan', 'inf', '1e3', '', '-0.5') },
);
const deltaPayload = fc
  .tuple(
    fc.constantFrom(layout, layout, layout, '{}', '{"rows":3}', 'x'),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.array(cell, { minLength: 1, maxLength: 5 })), { maxLength: 3 }),
    fc.constantFrom('\n', '\n', '\n', '\n', '', '\n\n'),
  )
  .map(([header, lines, end]) => [header, ...lines.map(([row, cells]) => `${row * 60}\t${cells.join('\t')}`)].join('\n') + end);

const SUBJECTS: readonly Compared[] = [
  {
    ...graphFilter(
      ...(['http_status', { rows, sec_per_row: 7 }, 'HTTP Status'] as const),
      ['HTTP_100', 'HTTP_200', 'HTTP_300', 'HTTP_400', 'HTTP_500', 'HTTP_UNKNOWN'].map((name) => [name, 'count', 'sum']),
      (graph, message) => {
        const status = first(message, 'status');
        if (typeof status !== 'number') return -1;
        graph.add(timeOf(message), status >= 100 && status < 600 ? Math.floor(status / 100) - 1 : 5, 1);
        return 0;
      },
    ),
    fields: ['status'],
  },
  {
    ...graphFilter(
      'loadavg',
      { rows, sec_per_row: 5 },
      'LoadAvg Stats',
      LOADS.map((name) => [name, 'Count', 'max']),
      storeAll(LOADS),
    ),
    fields: LOADS,
  },
  {
    ...graphFilter(
      'memstats',
      { rows, sec_per_row: 5 },
      'Memory Stats',
      MEMORY.map((name) => [name, 'Count', 'max']),
      storeAll(MEMORY),
    ),
    fields: MEMORY,
  },
  {
    ...graphFilter(
      ...(['svc_memstat', { rows, sec_per_row: 5 }, 'Stats'] as const),
      HEAP.map((name) => [name, name === 'HeapObjects' ? 'count' : 'B', 'max']),
      (graph, message) => {
        for (const [i, name] of HEAP.entries()) {
          const value = first(message, name);
          if (typeof value === 'number') graph.set(timeOf(message), i, value);
        }
        return 0;
      },
    ),
    fields: HEAP,
  },
  {
    ...graphFilter(
      ...([
        'stat_graph',
        { rows, sec_per_row: 3, title: 'T', stats: ' b  a ', stat_labels: 'x y', stat_aggregation: 'max', stat_unit: 'a b' },
        'T',
      ] as const),
      [
        ['x', 'a_b', 'max'],
        ['y', 'a_b', 'max'],
      ],
      (graph, message) => {
        const seconds = first(message, 'timestamp');
        if (typeof seconds !== 'number') return -1;
        for (const [i, name] of ['b', 'a'].entries()) {
          const value = first(message, name);
          if (typeof value === 'number') graph.add(seconds * 1e9, i, value);
        }
        return 0;
      },
    ),
    fields: ['timestamp', 'a', 'b'],
  },
  { filter: 'mysql_slow_query', config: { rows, sec_per_row: 8 }, naive: slowQueries, fields: QUERY },
  { filter: 'diskstats', config: { rows }, naive: diskStats, fields: [...COUNTERS, ...TIMES, 'TickerInterval'] },
  {
    filter: 'frequent_items',
    config: { message_variable: 'Fields[a]', max_items: 3, min_output_weight: 1, reset_days: 2 },
    naive: frequentItems,
    fields: ['a'],
    values: fc.constantFrom<Value[]>([1], ['1'], ['x'], ['y']),
  },
  { filter: 'message_schema', config: {}, naive: messageSchema, fields: ['a', 'b'] },
  { filter: 'cbufd_aggregator', config: {}, naive: aggregator, fields: ['payload_name'], payloads: deltaPayload },
  {
    filter: 'cbufd_host_aggregator',
    config: { max_hosts: MAX_HOSTS, rows: 2, host_expiration: EXPIRATION / 1e9, outputs_per_tick: 99 },
    naive: hostAggregator,
    fields: ['payload_name'],
    payloads: deltaPayload,
  },
];

const seconds = fc.oneof(fc.integer({ min: -9, max: 90 }), fc.integer({ min: 0, max: 400_000 }));
const oddValue = fc.constantFrom<Value[]>(['x'], [true], [false], [3, 4], ['1', '2']);
const header = fc.constantFrom(undefined, 'a', 'b-2', 'c');

function messages({ fields, payloads, values }: Compared): fc.Arbitrary<PlainMessage[]> {
  const value = fc.oneof({ weight: 12, arbitrary: values ?? number.map((n): Value[] => [n]) }, { weight: 1, arbitrary: oddValue });
  const all = fc.tuple(...fields.map((name) => value.map((list): Field => ({ name, value: list }))));
  const some = fc
    .subarray([...fields])
    .chain((names) => fc.tuple(...names.map((name) => value.map((list): Field => ({ name, value: list })))));
  const repeated = fc.tuple(all, all).map(([a, b]): Field[] => [...a, ...b]);
  const Fields = fc.oneof({ weight: 8, arbitrary: all }, { weight: 1, arbitrary: some }, { weight: 1, arbitrary: repeated });
  const message = fc.record({
    time: seconds,
    Fields,
    Logger: header,
    Type: header,
    Hostname: header,
    Payload: payloads ?? fc.constant('p'),
  });
  return fc.array(
    message.map(({ time, Logger, Type, Hostname, ...rest }): PlainMessage => {
      const headers = Object.entries({ Logger, Type, Hostname }).filter(([, text]) => text !== undefined);
      return { ...rest, Timestamp: BigInt(time) * 1_000_000_000n, ...(Object.fromEntries(headers) as Partial<PlainMessage>) };
    }),
    { maxLength: 14 },
  );
}

/** Payloads in an order of their own; of tables and trees only what they say counts. */
function comparable(outputs: readonly Output[]): string[] {
  return outputs
    .map(([type, name, payload]) => {
      if (type === 'tsv') return [type, name, payload.split('\n').toSorted().join('\n')].join('\0');
      return [type, name, name === 'Message Schema' ? payload.split('\n\n').at(-1) : payload].join('\0');
    })
    .filter((output) => !output.endsWith('Message Schema\0'))
    .toSorted();
}

describe.each(SUBJECTS)('$filter', (subject) => {
  test('is as plain', () => {
    fc.assert(
      fc.property(messages(subject), (list) => {
        const plugin = startPlugin(`filters/${subject.filter}.ts`, { ...subject.config });
        const naive = subject.naive();
        let ended = false;
        for (const [i, message] of list.entries()) {
          if (ended) return;
          const { rc } = plugin.process(message);
          expect(rc).toBe(naive.process(message));
          ended = rc > 0;
          if (ended || (i % 5 !== 4 && i !== list.length - 1)) continue;
          const outputs = plugin
            .timer(0n)
            .injected.map(({ Payload = '', Fields }): Output => [String(Fields[0]?.value[0]), String(Fields[1]?.value[0]), Payload]);
          const expected = naive.tick();
          expect(comparable(outputs)).toEqual(comparable(expected).filter((output) => !output.endsWith('\0')));
        }
      }),
      { numRuns: 60 },
    );
  });
});

const stat = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 4, maxLength: 6 }),
  fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 2 }),
);

test('procstat is as plain', () => {
  const kinds = ['user', 'nice', 'system', 'idle', 'iowait', 'irq'];
  const whole = (ratio: number): number => Math.ceil(100 * ratio - 0.5) + 0;
  const reading = fc.dictionary(fc.constantFrom('cpu', 'cpu0', 'softirq', 'intr', 'ctxt'), stat);
  fc.assert(
    fc.property(reading, reading, fc.boolean(), (before, after, extras) => {
      const plugin = startPlugin('filters/procstat.ts', { extras });
      const message = (fields: Record<string, number[]>): PlainMessage => ({
        Timestamp: 0n,
        Fields: Object.entries(fields).map(([name, value]) => ({ name, value })),
      });
      plugin.process(message(before));
      const { injected } = plugin.process(message(after));
      const expected: Record<string, number> = {};
      for (const [name, values] of Object.entries(after)) {
        const old = before[name];
        if (old?.length !== values.length) continue;
        const deltas = values.map((value, i) => value - (old[i] as number));
        if (deltas.length === 1) {
          if (extras) expected[`${name}_delta`] = deltas[0] as number;
          continue;
        }
        if (name === 'softirq' && extras) for (const [i, delta] of deltas.entries()) expected[`softirq_delta_${i + 1}`] = delta;
        if (!name.startsWith('cpu')) continue;
        const ticks = deltas.reduce((sum, delta) => sum + delta, 0);
        if (ticks > 0 && deltas.length >= 4) expected[`${name}_percent`] = whole(1 - (deltas[3] as number) / ticks);
        if (!extras) continue;
        expected[`${name}_delta_ticks`] = ticks;
        for (const [i, delta] of deltas.entries()) {
          expected[`${name}_delta_${kinds[i]}`] = delta;
          if (ticks > 0 && i < 5) expected[`${name}_percent_${kinds[i]}`] = whole(delta / ticks);
        }
      }
      const fields = injected[0] === undefined ? [] : injected[0].Fields.map(({ name, value }) => [name, value[0]]);
      expect(Object.fromEntries(fields)).toEqual(expected);
    }),
  );
});

test('unique_items is as plain', () => {
  const MASK = (1n << 64n) - 1n;
  const hash = (bytes: Uint8Array): bigint => {
    const m = 0xc6a4a7935bd1e995n;
    let h = 0xadc83b19n ^ ((BigInt(bytes.length) * m) & MASK);
    const at = (i: number, n: number): bigint =>
      Array.from({ length: n }, (_, k) => BigInt(bytes[i + k] as number) << BigInt(8 * k)).reduce((a, b) => a | b, 0n);
    let i = 0;
    for (; i + 8 <= bytes.length; i += 8) {
      let k = (at(i, 8) * m) & MASK;
      k ^= k >> 47n;
      h = ((h ^ ((k * m) & MASK)) * m) & MASK;
    }
    if (i < bytes.length) h = ((h ^ at(i, bytes.length - i)) * m) & MASK;
    h = ((h ^ (h >> 47n)) * m) & MASK;
    return h ^ (h >> 47n);
  };
  const bytesOf = (item: string | number): Uint8Array =>
    typeof item === 'string' ? Buffer.from(item) : new Uint8Array(Float64Array.of(item).buffer);
  const item = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer({ min: 0, max: 9 }),
    fc.constant(true),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -1, max: 9 }), item), { maxLength: 30 }), (entries) => {
      const plugin = startPlugin('filters/unique_items.ts', { message_variable: 'Fields[u]', rows: 5, title: 'T' });
      const graph = new NaiveGraph(5, 86_400, [['u', 'count', 'sum']]);
      let active = 0;
      let registers = new Map<bigint, number>();
      for (const [day, value] of entries) {
        const Timestamp = BigInt(day) * 86_400_000_000_000n;
        const { rc } = plugin.process({ Timestamp, Fields: value === undefined ? [] : [{ name: 'u', value: [value] }] });
        if (day < active) {
          expect(rc).toBe(0);
          continue;
        }
        if (day > active) [active, registers] = [day, new Map()];
        expect(rc).toBe(typeof value === 'string' || typeof value === 'number' ? 0 : -1);
        if (rc !== 0) continue;
        const hashed = hash(bytesOf(value as string | number)) | (1n << 63n);
        let rank = 1;
        while (((hashed >> BigInt(13 + rank)) & 1n) === 0n) rank++;
        const register = hashed & 16383n;
        if (rank <= (registers.get(register) ?? 0)) continue;
        registers.set(register, rank);
        graph.row(day * 86_400e9)?.splice(0, 1, Math.trunc(16384 * Math.log(16384 / (16384 - registers.size))));
      }
      expect(plugin.timer(0n).injected[0]?.Payload).toBe(graph.text);
    }),
    { numRuns: 30 },
  );
});
