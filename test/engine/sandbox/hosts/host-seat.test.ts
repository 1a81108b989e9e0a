import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type SandboxKind } from '../../../../engine/sandbox/contract/types.ts';
import { ToEngine, ToHost } from '../../../../engine/sandbox/contract/protocol.ts';
import { HostSeat } from '../../../../engine/sandbox/hosts/host-seat.ts';
import { Session } from '../../../../engine/sandbox/calls/session.ts';
import { Journal } from '../../../../engine/sandbox/wire/journal.ts';
import { ScriptSources } from '../../../../engine/sandbox/code/sources.ts';
import { Random } from '../../../fuzz/mutator.ts';
import { batchOf, line } from '../harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-frames-'));
const script = join(folder, 's.js');
writeFileSync(script, 'function process_message() { return 0; }');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const times = { samples: 1, nanoseconds: 5, profileSamples: 0, profileNanoseconds: 0 };
const result = {
  ...{ globals: 1, used: ['Payload'], injected: 0, passed: 0, origins: -1, kinds: -1, origin: 1, timestamps: 0, uuids: null },
  ...{ headers: [null, null, null, null, null, null, null], fields: [], failures: [[0, 'bad']], encoded: null, ended: null },
  ...{ status: { code: 0, text: '' }, wide: false, times },
};
const use = { memory: 1, memoryMaximum: 1, isolate: 1, instructions: 1, instructionsMaximum: 1, output: 0, outputMaximum: 0 };

/** Heads of the frames of a host that is in order. */
const heads: Readonly<Record<number, unknown>> = {
  [ToEngine.CREATED]: {},
  [ToEngine.BEGIN]: '',
  [ToEngine.RESULT]: result,
  [ToEngine.PARTIAL]: result,
  [ToEngine.REPORTED]: { ...use, calls: 1, nanoseconds: 1, timers: 0, timerNanoseconds: 0, percentile99: 1, times },
  [ToEngine.REQUEST]: { want: 'variable', name: 'Payload' },
  [ToEngine.STOPPED]: '',
  [ToEngine.ENDED]: { code: 'limit.memory', reason: 'why', limit: 1 },
  [ToEngine.SAVED]: { wide: false, version: null },
};

const ANSWERS: Readonly<Record<number, number>> = {
  [ToHost.PROCESS]: ToEngine.RESULT,
  [ToHost.TIMER]: ToEngine.RESULT,
  [ToHost.RUN]: ToEngine.RESULT,
  [ToHost.SAVE]: ToEngine.SAVED,
  [ToHost.REPORT]: ToEngine.REPORTED,
};

const anything: readonly unknown[] = [
  ...[-1, 0, 1, 2, 8, 255, 2 ** 31, 2 ** 32, 2 ** 53, 1.5, null, '', 'x', '__proto__', [], {}, true, [null], [[0, 'x']]],
  { count: 1, rows: 0, lengths: 0, forms: 0, from: 0, to: 0, bytes: 0, bytesLength: 0 },
  ...[
    { code: 'script.throws', reason: 'r', row: 0 },
    { code: 'x', reason: 'r', row: 0 },
    { code: 'failed', reason: 5, row: 0 },
    { code: -1, text: '' },
    { code: 1 },
    times,
  ],
];

function changed(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random.below(4) === 0) return random.pick(anything);
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  const keys = Object.keys(copy);
  if (keys.length === 0) return random.pick(anything);
  const key = random.pick(keys);
  copy[key] = changed(random, copy[key]);
  return copy;
}

/** A sandbox with some calls under way, whose host says anything; everybody has to get an answer. */
async function upset(random: Random): Promise<void> {
  const kind: SandboxKind = random.pick(['filter', 'decoder', 'encoder', 'output', 'input']);
  const spec = {
    ...{ name: 't', kind, script, modules: [], config: {}, hostname: 'h', pid: 1, limits: DEFAULT_LIMITS },
    ...(random.below(2) === 0 ? { sampling: { every: 1, profile: 0 } } : {}),
    ...(kind === 'output' && random.below(2) === 0 ? { writes: true } : {}),
  };
  const sandbox = new Session(spec, { journal: new Journal(null) });
  const sources = new ScriptSources({ kind, script, modules: [], limits: DEFAULT_LIMITS });
  const seat = new HostSeat({ id: 1, session: sandbox, sources, onEnd: () => undefined, repeat: null });
  const sent: { readonly kind: number; readonly call: number }[] = [];
  const feed = (frame: number, call: number, head: unknown): void =>
    seat.receive({
      ...{ kind: frame, box: 1, call, head: head === '' ? '' : JSON.stringify(head) },
      ...{ block: new ArrayBuffer(64), texts: Buffer.from('abc') },
    });
  const calls: Promise<unknown>[] = [seat.start({ send: (frame) => void sent.push(frame), kill: () => undefined, serving: false })];
  if (random.below(10) > 0) feed(ToEngine.CREATED, 0, {});
  const batch = batchOf([line('a'), line('b')]);
  const start = [
    () => sandbox.timer(1n),
    () => sandbox.report(),
    () => sandbox.process(batch, null),
    () => sandbox.process(batch, Uint32Array.of(1)),
  ];
  if (kind === 'input') calls.push(sandbox.run(async () => undefined));
  else for (let i = 0; i < 3; i++) calls.push(random.pick(start)());
  for (const call of calls) call.catch(() => undefined);
  for (let i = 0; i < 4; i++) {
    const open = sent.filter(({ call }) => call > 0);
    const target = open[Math.min(i, open.length - 1)] ?? { kind: 0, call: random.below(5) };
    const frame = random.below(4) > 0 ? (ANSWERS[target.kind] ?? 1) : 1 + random.below(10);
    let head: unknown = heads[frame] ?? '';
    for (let n = random.below(3); n > 0; n--) head = changed(random, head);
    feed(frame, random.below(5) > 0 ? target.call : random.below(6), head);
    if (random.below(4) === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  sandbox.terminate({ code: 'sandbox.stopped', reason: 'the end' });
  await Promise.allSettled(calls);
  expect(sandbox.alive).toBe(false);
}

test('whatever a host says, nobody waits for ever', async () => {
  const random = new Random(1);
  for (let i = 0; i < 400; i++) await upset(random);
});
