/** Bundled decoders that run in the engine's process, in its own thread or in another one, bring what they bring in a sandbox. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecords } from '../../../../engine/inputs/shared/read.ts';
import type { SplitOptions } from '../../../../engine/inputs/splitters/index.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { takeRows } from '../../../../engine/message/batch/take-rows.ts';
import { nowNs } from '../../../../engine/message/timestamp.ts';
import { bundledPlugins } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import { decoderSplit } from '../../../../engine/plugins/split.ts';
import type { PluginScript } from '../../../../engine/plugins/types.ts';
import type { WorkCall } from '../../../../engine/sandbox/calls/calls.ts';
import { NO_USE } from '../../../../engine/sandbox/calls/script-counters.ts';
import type { Seat, Session } from '../../../../engine/sandbox/calls/session.ts';
import { HereSeat } from '../../../../engine/sandbox/ours/here-seat.ts';
import { ownSession, startSeated } from '../../../../engine/sandbox/ours/seated.ts';
import { ThreadPool } from '../../../../engine/sandbox/ours/thread-pool.ts';
import { ThreadSeat } from '../../../../engine/sandbox/ours/thread-seat.ts';
import {
  NO_RESULT,
  DEFAULT_LIMITS,
  type ConfigValue,
  type Sandbox,
  type SandboxResult,
  type SandboxSpec,
} from '../../../../engine/sandbox/contract/types.ts';
import { testMs } from '../../../patience.ts';
import { metaOf } from '../../../plugins/support/sandbox.ts';
import { batchOf, line, messagesOf, SandboxBench, trusted } from '../harness.ts';

/** Records of each sample. */
const RECORDS = 200;
/** Each sample is read by one decoder of so many. */
const SHARES = 8;
const SAMPLES = join(import.meta.dirname, '../../../../resources/samples');

const bench = new SandboxBench();
const threads = new ThreadPool(1);
afterAll(async () => {
  threads.close();
  await bench.close();
});

type Config = Readonly<Record<string, ConfigValue>>;

/** The results of batches, without the uuids, and without the times of those that have none but that of their decoding. */
async function resultsOf(sandbox: Sandbox, batches: readonly MessageBatch[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const batch of batches) {
    const from = nowNs();
    const { injected, times: _, ...rest } = await sandbox.process(batch, null);
    const to = nowNs();
    const messages = messagesOf({ ...rest, injected }).map(({ uuid: _uuid, timestamp, ...message }) => ({
      ...message,
      timestamp: timestamp >= from - 1_000_000n && timestamp <= to ? 'now' : timestamp,
    }));
    results.push({ ...rest, messages });
  }
  await sandbox.stop();
  return results;
}

const noSandbox = (): never => {
  throw new Error('it did not run here');
};

/** Comparisons, and those in which a sandbox had to go on: with very many columns, or where the machine took too long. */
let compared = 0;
let leftToSandbox = 0;

const DIRECT = { interruptible: true };

/** Expects the same results from all three ways. */
async function compare(plugin: PluginScript, config: Config, batches: readonly MessageBatch[]): Promise<void> {
  const spec = sandboxSpec('decoder', plugin, { config });
  const left = (own: SandboxSpec, session?: Session): Promise<Sandbox> => {
    leftToSandbox++;
    return bench.pool.createSandbox(own, session);
  };
  const [direct, threaded, apart] = await Promise.all([
    startSeated(spec, { here: DIRECT }, left),
    startSeated(spec, { threads }, left),
    bench.pool.createSandbox(spec),
  ]);
  compared += 2;
  expect((direct as Session).seat).toBeInstanceOf(HereSeat);
  expect((threaded as Session).seat).toBeInstanceOf(ThreadSeat);
  const expected = await resultsOf(apart, batches);
  expect(await resultsOf(direct, batches)).toEqual(expected);
  expect(await resultsOf(threaded, batches)).toEqual(expected);
}

/** Records of texts, and what is left of them when they end early. */
function cutBatch(texts: readonly string[]): MessageBatch {
  const cut = texts.flatMap((text) => [1, 2, 3].map((quarter) => text.slice(0, (text.length * quarter) >> 2)));
  return batchOf([...texts, ...cut, ...texts].map(line));
}

/** The first records of a file; null: there are none. */
async function firstRecords(path: string, split: SplitOptions): Promise<MessageBatch | null> {
  for await (const { batch } of readRecords(path, { split }))
    return takeRows(
      batch,
      Uint32Array.from({ length: Math.min(batch.length, RECORDS) }, (_, row) => row),
    );
  return null;
}

const examplesOf = ({ name }: PluginScript): readonly ExampleMeta[] => metaOf(`decoders/${name}.ts`).examples;

const decoders = bundledPlugins('decoder').filter(({ meta }) => meta?.stateless === true);

describe('a bundled decoder in the process of the engine', { timeout: 4 * testMs() }, () => {
  it.each(decoders.map((plugin) => [plugin.name, plugin] as const))('%s decodes its examples as in a sandbox', async (_, plugin) => {
    const groups = Map.groupBy(examplesOf(plugin), ({ config = {} }) => JSON.stringify(config));
    for (const examples of groups.values()) {
      const texts = examples.flatMap(({ in: input }) => [input].flat()).flatMap((input) => (typeof input === 'string' ? [input] : []));
      if (texts.length > 0) await compare(plugin, examples[0]?.config ?? {}, [cutBatch(texts), cutBatch(texts.toReversed())]);
    }
  });

  it.each(readdirSync(SAMPLES).map((name, number) => [name, number] as const))(
    'reads the sample %s by some decoders as in a sandbox',
    async (name, number) => {
      let read = 0;
      for (const plugin of decoders.filter((_, i) => i % SHARES === number % SHARES)) {
        const [config = {}] = examplesOf(plugin).map((example) => (example.config ?? {}) as Config);
        const batch = await firstRecords(join(SAMPLES, name), decoderSplit(plugin, config));
        if (batch === null) continue;
        await compare(plugin, config, [batch]);
        read++;
      }
      expect(read).toBeGreaterThan(3);
    },
  );

  it('is seldom left to a sandbox', () => expect(leftToSandbox).toBeLessThan(compared / 4));

  it('keeps what its records share from being changed by them', async () => {
    const [access] = decoders.filter(({ name }) => name === 'nginx_access') as [PluginScript];
    const spec = sandboxSpec('decoder', access, { config: { log_format: '$status $request' } });
    const one = await startSeated(spec, { here: DIRECT }, noSandbox);
    const config = { ...spec.config, log_format: '$request_method $status' };
    const other = await startSeated({ ...spec, config }, { here: DIRECT }, noSandbox);
    const [first] = messagesOf(await one.process(batchOf([line('200 GET')]), null));
    const [second] = messagesOf(await other.process(batchOf([line('GET 404')]), null));
    expect(first?.fields.map(({ name, values }) => [name, ...values])).toEqual([
      ['status', 200],
      ['request', 'GET'],
    ]);
    expect(second?.fields.map(({ name, values }) => [name, ...values])).toEqual([
      ['request_method', 'GET'],
      ['status', 404],
    ]);
  });
});

describe('what does not run in the process of the engine', () => {
  const started: SandboxSpec[] = [];
  const stub = { process: () => Promise.resolve(NO_RESULT), stop: () => Promise.resolve() } as unknown as Sandbox;
  const start = (own: SandboxSpec): Promise<Sandbox> =>
    startSeated(own, { here: DIRECT }, (spec) => {
      started.push(spec);
      return Promise.resolve(stub);
    });
  const [access] = decoders.filter(({ name }) => name === 'nginx_access') as [PluginScript];
  const spec = sandboxSpec('decoder', access, { config: { log_format: 'combined' } });

  it.each([
    ['a script of a user', { ...spec, script: bench.file('own.ts', 'export function process_message() { return 0; }') }],
    ['a link to a script of a user under a bundled name', { ...spec, script: bench.file('nginx_access.ts', '') }],
    ['a draft', { ...spec, text: 'export function process_message() { return 0; }' }],
    ['a limit of somebody', { ...spec, limits: { ...DEFAULT_LIMITS, instructions: 5 } }],
    ['a profile', { ...spec, profile: true }],
    ['one that keeps its state', { ...spec, preservation: '/no/such/state' }],
    ['one whose calls are timed', { ...spec, sampling: { every: 1000, profile: 50 } }],
    ['one beside others', { ...spec, beside: true }],
    ['an output', { ...spec, kind: 'output' as const }],
    ['one that may be ended for being slow', { ...spec, judged: true }],
    ['one that does not load', { ...spec, config: { log_format: '' } }],
  ])('is %s', async (_, own) => {
    started.length = 0;
    expect(await start(own)).toBe(stub);
    expect(started).toEqual([own]);
  });

  /** A script that would not be started here, to see what becomes of one that misbehaves. */
  async function after(script: string): Promise<{ results: SandboxResult[]; taken: number[] }> {
    const { direct, taken } = startHere(script, NO_RESULT);
    const results: SandboxResult[] = [];
    for (const texts of [['good'], ['good', 'bad'], ['good', 'good', 'good']]) {
      results.push(await direct.process(batchOf(texts.map(line)), null));
    }
    await direct.stop();
    return { results, taken };
  }

  /** Starts a script, to go on in a seat that brings the same for each call. */
  function startHere(script: string, result: SandboxResult): { direct: Session; taken: number[] } {
    const taken: number[] = [];
    const path = bench.file(`${basename(script.replace(/\W/g, '').slice(0, 40))}.ts`, script);
    const direct = ownSession({ ...spec, script: path }, (session) => {
      const instead: Seat = {
        serve: (call) => {
          taken.push((call as WorkCall & { readonly kind: 'process' }).batch.length);
          setImmediate(() => {
            session.calls.take(call.kind, call.id);
            session.answered(call as WorkCall, result, 0);
          });
        },
        use: () => Promise.resolve(NO_USE),
        drop: () => undefined,
        leave: () => new Promise((resolve) => setImmediate(resolve)),
      };
      session.sit(instead);
      return Promise.resolve();
    });
    direct.sit(new HereSeat(direct, { code: trusted(path)(), interruptible: false }));
    return { direct, taken };
  }

  const scriptOf = (bad: string): string =>
    `export function process_message() { const text = read_message('Payload'); if (text === 'bad') { ${bad} } inject_message({ Payload: text }); return 0; }`;

  it.each([
    ['throws', scriptOf("throw new Error('no');")],
    ['ends itself', scriptOf('return 1;')],
    ['returns nothing', scriptOf('return;')],
    ['takes too many steps of the interface', scriptOf("for (;;) add_to_payload('x'.repeat(60000)), inject_payload();")],
    ['wants a module', scriptOf("require('json');")],
    [
      'has very many fields',
      scriptOf("inject_message({ Fields: Object.fromEntries(Array.from({ length: 600 }, (_, i) => ['f' + i, i])) });"),
    ],
  ])('goes on in a sandbox, with the batch in which it %s', async (_, script) => {
    const { results, taken } = await after(script);
    expect(messagesOf(results[0] as SandboxResult).map(({ payload }) => payload)).toEqual(['good']);
    expect(taken).toEqual([2, 3]);
  });

  it('goes on in a sandbox when it takes too long', async () => {
    const { taken } = await after(scriptOf('for (;;);'));
    expect(taken).toEqual([2, 3]);
  });

  it('ends where it goes on', async () => {
    const { direct } = startHere(scriptOf('return 1;'), { ...NO_RESULT, terminated: { code: 'script.return', reason: 'enough', row: 0 } });
    expect(direct.state).toBe('running');
    await direct.process(batchOf([line('bad')]), null);
    expect(direct.state).toBe('terminated');
    await direct.stop();
    await expect(direct.process(batchOf([line('a')]), null)).rejects.toThrow('has ended: enough');
  });

  it.each([['good'], ['bad']])('takes nothing after it was stopped: %s', async (text) => {
    const { direct } = startHere(scriptOf('return 1;'), NO_RESULT);
    await direct.process(batchOf([line(text)]), null);
    const last = direct.process(batchOf([line(text)]), null);
    await direct.stop();
    await last;
    expect(direct.state).toBe('stopped');
    await expect(direct.process(batchOf([line('a')]), null)).rejects.toThrow('was stopped');
  });

  it('tells what it has done', async () => {
    const direct = await start(spec);
    await direct.process(batchOf([line('192.0.2.1 - - [05/Mar/2021:13:07:59 +0000] "GET / HTTP/1.1" 200 1 "-" "-"'), line('hm')]), null);
    const { averageNs, ...report } = await direct.report();
    expect(report).toMatchObject({ processed: 2, failures: 1, injected: 1, memory: { current: 0 } });
    expect(averageNs).toBeGreaterThan(0);
  });
});
