import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { DecodeStage } from '../../../engine/pipeline/decode-stage.ts';
import { DecoderGroup, shareDecoder } from '../../../engine/pipeline/decoder-group.ts';
import type { IdleCores } from '../../../engine/pipeline/idle-cores.ts';
import type { PluginScript } from '../../../engine/plugins/types.ts';
import type { Sandbox, SandboxSpec } from '../../../engine/sandbox/contract/types.ts';
import { FakeSandbox, message, payloads, type Process } from './fakes.ts';

/** `x2` becomes two messages, `x0` none, `bad…` fails, `die` ends the decoder. */
const script: Process = ({ payload = '' }) => {
  if (payload.startsWith('bad')) return `no ${payload}`;
  if (payload === 'die') return 'die';
  const copies = payload.endsWith('2') ? 2 : payload.endsWith('0') ? 0 : 1;
  return Array.from({ length: copies }, (_, i) => message(`${payload.toUpperCase()}${i}`));
};

/** Output of a stage with this decoder. */
async function decoded(decoder: Sandbox, batches: readonly (readonly string[])[]): Promise<string[]> {
  const out: string[] = [];
  const acknowledged: number[] = [];
  const stage = new DecodeStage({
    decoder,
    inFlight: 6,
    sink: {
      accept: async ({ batch, failures }) => {
        const reasons = new Map(failures.map(({ row, reason }) => [row, reason]));
        out.push(...payloads(batch).map((payload, row) => `${payload}${reasons.has(row) ? `!${reasons.get(row)}` : ''}`));
        return { delivered: Promise.resolve() };
      },
    },
  });
  for (const [i, texts] of batches.entries()) {
    await stage.deliver({ batch: batchOf(texts.map((text) => message(text))), firstLine: 1, acknowledge: () => acknowledged.push(i) });
  }
  await stage.drained();
  expect(acknowledged).toEqual(batches.map((_, i) => i));
  await decoder.stop();
  return out;
}

function groupOf(most: number, waits: readonly number[], hasIdleCore = () => true): { group: DecoderGroup; started: FakeSandbox[] } {
  const started: FakeSandbox[] = [];
  const make = (): FakeSandbox => {
    const wait = waits[started.length % waits.length] as number;
    const sandbox = new FakeSandbox('d', { process: script, gate: () => delay(wait) });
    started.push(sandbox);
    return sandbox;
  };
  return { group: new DecoderGroup({ first: make(), most, start: async () => make(), hasIdleCore }), started };
}

describe('several instances of a decoder', () => {
  it('are as one, however slow each of them is, and also when one ends', async () => {
    const record = fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom('a', 'b2', 'c0', 'bad', 'd') },
      { weight: 1, arbitrary: fc.constant('die') },
    );
    const batch = fc.array(record, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(batch, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom(0, 1, 8), { minLength: 1, maxLength: 4 }),
        async (batches, most, waits) => {
          const numbered = batches.map((texts, i) => texts.map((text, j) => (text === 'die' ? text : `${i}.${j}${text}`)));
          const { group } = groupOf(most, waits);
          expect(await decoded(group, numbered)).toEqual(await decoded(new FakeSandbox('d', { process: script }), numbered));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are started when there is work for them, and share it', async () => {
    const { group, started } = groupOf(3, [5]);
    await decoded(group, [['a']]);
    expect(started).toHaveLength(1);
    const busy = groupOf(3, [5]);
    await decoded(
      busy.group,
      Array.from({ length: 40 }, (_, i) => [`${i}a`]),
    );
    expect(busy.started).toHaveLength(3);
    for (const { calls } of busy.started) expect(calls.length).toBeGreaterThan(5);
    expect(busy.started.every(({ state }) => state === 'stopped')).toBe(true);
  });

  const shared = async (first: Sandbox): Promise<readonly SandboxSpec[]> => {
    const specs: SandboxSpec[] = [];
    const start = async (spec: SandboxSpec): Promise<Sandbox> => {
      specs.push(spec);
      return new FakeSandbox('d', { process: script });
    };
    const plugin = { name: 'd', path: '', meta: { stateless: true } } as unknown as PluginScript;
    const group = shareDecoder(first, plugin, { hosts: 2, start }, { hasOne: () => true } as IdleCores);
    await decoded(
      group,
      Array.from({ length: 20 }, (_, i) => [`${i}a`]),
    );
    return specs;
  };

  it('are started as such that work beside others', async () => {
    const first = new FakeSandbox('d', { process: script, gate: () => delay(1) });
    expect(await shared(first)).toEqual([{ ...first.spec, beside: true }]);
  });

  it('are not started beside one that runs in this process', async () => {
    const first = Object.assign(new FakeSandbox('d', { process: script, gate: () => delay(1) }), { isHere: true });
    expect(await shared(first)).toEqual([]);
  });

  it('are not started beside cores that are all at work', async () => {
    const { group, started } = groupOf(3, [1], () => false);
    await decoded(
      group,
      Array.from({ length: 40 }, (_, i) => [`${i}a`]),
    );
    expect(started).toHaveLength(1);
  });

  it('do the work alone when no further one starts', async () => {
    const first = new FakeSandbox('d', { process: script, gate: () => delay(1) });
    let starts = 0;
    const start = async (): Promise<Sandbox> => {
      starts++;
      throw new Error('no memory');
    };
    const batches = Array.from({ length: 20 }, (_, i) => [`${i}a`]);
    expect(await decoded(new DecoderGroup({ first, most: 4, start, hasIdleCore: () => true }), batches)).toHaveLength(20);
    expect(starts).toBe(3);
  });

  it('report as one', async () => {
    const { group, started } = groupOf(2, [5]);
    expect(await group.report()).toMatchObject({ state: 'running', processed: 0, averageNs: 0 });
    await Promise.all(Array.from({ length: 4 }, () => group.process(batchOf([message('a')]), null)));
    expect(started).toHaveLength(2);
    for (const sandbox of started)
      vi.spyOn(sandbox, 'report').mockResolvedValue({ ...(await sandbox.report()), processed: 1, workMs: 1.5 });
    expect(await group.report()).toMatchObject({ processed: 2, workMs: 3 });
  });
});
