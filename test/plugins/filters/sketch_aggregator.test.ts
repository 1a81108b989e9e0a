/** A filter over all messages, and filters over parts of them whose sketches are merged: they say the same. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainMessage } from '../support/message.ts';
import { startPlugin, type RunningPlugin } from '../support/sandbox.ts';

type Config = NonNullable<Parameters<typeof startPlugin>[1]>;
type Outputs = ReadonlyMap<string, string>;

const BEGIN = 1_400_000_400;
const SHARDS = 3;

interface Event {
  readonly shard: number;
  /** Seconds since BEGIN. */
  readonly second: number;
  readonly value: string | number;
}

/** Messages in the order of their times, with ticks between them. */
const eventsOf = (value: fc.Arbitrary<string | number>, seconds: number): fc.Arbitrary<readonly Event[]> =>
  fc
    .array(fc.record({ shard: fc.nat(SHARDS - 1), second: fc.nat(seconds), value }), { minLength: 1, maxLength: 200 })
    .map((events) => events.toSorted((a, b) => a.second - b.second));

/** Payloads of a tick by type and name. */
function tick(plugin: RunningPlugin): readonly (readonly [type: string, name: string, payload: string])[] {
  return plugin.timer(BigInt(BEGIN) * 1_000_000_000n).injected.map(({ Payload = '', Fields }) => {
    const [type, name] = ['payload_type', 'payload_name'].map((field) => String(Fields.find((one) => one.name === field)?.value[0]));
    return [type as string, name as string, Payload];
  });
}

const shown = (plugin: RunningPlugin): Outputs =>
  new Map(
    tick(plugin)
      .filter(([type]) => type === 'cbuf' || type === 'tsv')
      .map(([, name, payload]) => [name, payload]),
  );

/** Sends the sketches of a shard to those who merge them. */
function send(shard: RunningPlugin, host: string, ...to: readonly RunningPlugin[]): void {
  for (const [type, name, Payload] of tick(shard)) {
    if (type !== 'sketch') continue;
    expect(Payload.length).toBeLessThanOrEqual(60_000);
    const message = plainMessage({ Hostname: host, Payload, Fields: { payload_type: type, payload_name: name } });
    for (const plugin of to) expect(plugin.process(message)).toMatchObject({ rc: 0 });
  }
}

interface Run {
  readonly whole: Outputs;
  readonly merged: Outputs;
  readonly byHost: Outputs;
  readonly shards: readonly Outputs[];
}

/** Runs a filter over all events and over those of each shard, which sends its sketch after every so many events. */
function run(filter: string, config: Config, events: readonly Event[], every: number): Run {
  const start = (): RunningPlugin => startPlugin(`filters/${filter}.ts`, { ...config, message_variable: 'Fields[v]', enable_sketch: true });
  const whole = start();
  const shards = Array.from({ length: SHARDS }, start);
  const merged = startPlugin('filters/sketch_aggregator.ts');
  const byHost = startPlugin('filters/sketch_aggregator.ts', { by_host: true });
  for (const [i, { shard, second, value }] of events.entries()) {
    const message = plainMessage({ Timestamp: (BEGIN + second) * 1e9, Fields: { v: value } });
    for (const plugin of [whole, shards[shard] as RunningPlugin]) expect(plugin.process(message)).toMatchObject({ rc: 0 });
    if (i % every === every - 1) for (const [n, one] of shards.entries()) send(one, `h${n}`, merged, byHost);
  }
  for (const [n, one] of shards.entries()) send(one, `h${n}`, merged, byHost);
  return { whole: shown(whole), merged: shown(merged), byHost: shown(byHost), shards: shards.map(shown) };
}

const titleOf = (outputs: Outputs): string => [...outputs.keys()][0] ?? '';

/** A host's share of what is merged by hosts; what its filter shows where it has sent anything. */
function expectHosts({ byHost, shards, whole }: Run): void {
  for (const [host, payload] of byHost) {
    const [, number] = / \(h(\d)\)$/.exec(host) ?? [];
    expect(payload).toBe(shards[Number(number)]?.get(titleOf(whole)));
  }
}

const weights = (payload: string): ReadonlyMap<string, number> =>
  new Map(
    payload
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t') as [string, string])
      .map(([value, weight]) => [value, Number(weight)]),
  );

const everies = fc.integer({ min: 10, max: 60 });
const NUMBER = { numRuns: 25 };

describe('merged sketches', () => {
  test('of unique_items are those of one filter, and by host those of the host', () => {
    const values = fc.oneof(
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: 0, max: 9000 }).map((n) => `user-${n}`),
    );
    fc.assert(
      fc.property(eventsOf(values, 3 * 86_400), everies, (events, every) => {
        const outcome = run('unique_items', { rows: 5 }, events, every);
        expect(outcome.merged).toEqual(outcome.whole);
        expectHosts(outcome);
      }),
      NUMBER,
    );
  });

  test('of percentiles are those of one filter while numbers are few, and within its error else', () => {
    const values = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: 0.001, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(eventsOf(values, 200), everies, (events, every) => {
        const outcome = run('percentiles', { percentiles: '0 50 99 100', rows: 5 }, events, every);
        const cells = (payload = ''): readonly string[] => payload.split(/[\n\t]/);
        const [merged, whole] = [outcome.merged, outcome.whole].map((outputs) => cells([...outputs.values()][0]));
        expect(merged).toHaveLength(whole?.length ?? 0);
        for (const [i, cell] of (whole ?? []).entries()) {
          if (Number.isNaN(Number(cell))) expect(merged?.[i]).toBe(cell);
          else expect(Math.abs(Number(merged?.[i]) - Number(cell))).toBeLessThanOrEqual(0.0203 * Math.abs(Number(cell)));
        }
        const counts = (cellsOf: readonly string[] | undefined): unknown => cellsOf?.filter((_, i) => i % 5 === 0);
        expect(counts(merged)).toEqual(counts(whole));
      }),
      NUMBER,
    );
  });

  test('of frequent_items are those of one filter while values are few', () => {
    const values = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }).map(String));
    fc.assert(
      fc.property(eventsOf(values, 2 * 86_400), everies, (events, every) => {
        const config = { max_items: 50, min_output_weight: 0 };
        const { merged, whole } = run('frequent_items', config, events, every);
        const sorted = (outputs: Outputs): unknown => [...outputs].map(([name, payload]) => [name, payload.split('\n').sort()]);
        expect(sorted(merged)).toEqual(sorted(whole));
      }),
      NUMBER,
    );
  });

  test('of frequent_items are too small by at most their share of all values', () => {
    const values = fc.integer({ min: 0, max: 40 }).map((n) => `v${Math.floor(Math.sqrt(n * n * n))}`);
    fc.assert(
      fc.property(eventsOf(values, 3600), everies, (events, every) => {
        const config = { max_items: 10, min_output_weight: 0, reset_days: 0 };
        const merged = weights([...run('frequent_items', config, events, every).merged.values()][0] ?? '');
        const counts = new Map<string, number>();
        for (const { value } of events) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
        for (const [value, count] of counts) {
          const weight = merged.get(value) ?? 0;
          expect(weight).toBeLessThanOrEqual(count);
          expect(weight).toBeGreaterThanOrEqual(count - events.length / 11);
        }
      }),
      NUMBER,
    );
  });

  test('of many values go out in several outputs, and the rest at the next tick', () => {
    const shard = startPlugin('filters/frequent_items.ts', { message_variable: 'Fields[v]', max_items: 1000, enable_sketch: true });
    for (let i = 0; i < 800; i++) shard.process(plainMessage({ Timestamp: 0, Fields: { v: `${i}${'x'.repeat(600)}` } }));
    const merged = startPlugin('filters/sketch_aggregator.ts');
    const sent = [0, 0, 0, 0].map(() => {
      const outputs = tick(shard).filter(([type]) => type === 'sketch');
      for (const [type, name, Payload] of outputs)
        expect(merged.process(plainMessage({ Payload, Fields: { payload_type: type, payload_name: name } }))).toMatchObject({ rc: 0 });
      return outputs.map(([, , payload]) => payload.split('\n').length - 2).reduce((sum, rows) => sum + rows, 0);
    });
    expect(sent[0]).toBeGreaterThan(200);
    expect(sent.reduce((sum, rows) => sum + rows, 0)).toBe(800);
    expect(sent[3]).toBe(0);
  });
});

describe('what is refused', () => {
  const unique = '{"sketch":"unique","rows":5,"column":"v"}';
  const quantiles = '{"sketch":"quantiles","rows":5,"seconds_per_row":60,"percentiles":"50","unit":"s"}';
  const frequent = '{"sketch":"frequent","variable":"v","capacity":9,"min_weight":0,"reset_days":0}';

  test.each([
    [`${unique}\n0\t"(16383)"\n`],
    [`${unique}\n0\t"${'(16384)'.repeat(5000)}"\n`],
    [`${unique}\n0\t"(16383)~"\n`],
    [`${unique}\n0\t7\n`],
    [`${quantiles}\n0\t{"exact":[null],"positive":[],"negative":[],"zeros":0,"minimum":0,"maximum":0}\n`],
    [`${quantiles}\n0\t{"exact":null,"positive":[[1,-1]],"negative":[],"zeros":0,"minimum":0,"maximum":0}\n`],
    [`${quantiles}\n0\tnull\n`],
    [`${frequent}\n0\t["a",1]\n0\t["b",1.5]\n`],
    [`${frequent}\n0\t[1,1]\n`],
  ])('%.100s', (Payload) => {
    const plugin = startPlugin('filters/sketch_aggregator.ts');
    const outcome = plugin.process(plainMessage({ Payload, Fields: { payload_name: 'n' } }));
    expect(outcome).toMatchObject({ rc: -1, reason: 'the payload has a row that is not of its layout' });
  });

  test.each([
    ['{"sketch":"unique","rows":100000000,"column":"v"}', 'there is no room for a sketch of this layout: see max_cells'],
    [`{"sketch":"unique","rows":5,"column":"${'v'.repeat(5000)}"}`, 'the payload has no layout'],
    ['{"sketch":"quantiles","rows":5,"seconds_per_row":60,"percentiles":"50 x","unit":"s"}', 'the payload has no layout'],
    ['{"sketch":"quantiles","rows":5,"seconds_per_row":0,"percentiles":"50","unit":"s"}', 'the payload has no layout'],
    ['[]', 'the payload has no layout'],
  ])('%.100s', (header, reason) => {
    const plugin = startPlugin('filters/sketch_aggregator.ts');
    expect(plugin.process(plainMessage({ Payload: `${header}\n0\t1\n`, Fields: { payload_name: 'n' } }))).toMatchObject({ rc: -1, reason });
  });

  test('another layout under the same name', () => {
    const plugin = startPlugin('filters/sketch_aggregator.ts');
    const process = (header: string): unknown =>
      plugin.process(plainMessage({ Payload: `${header}\n0\t["a",1]\n`, Fields: { payload_name: 'n' } }));
    expect(process(frequent)).toMatchObject({ rc: 0 });
    expect(process(frequent.replace('9', '8'))).toMatchObject({ rc: -1 });
  });
});
