/** Bundled encoders that run in the process of a command write the bytes that they write in a sandbox. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../../../engine/message/batch/builder.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { bundledPlugins } from '../../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../../engine/plugins/sandboxes.ts';
import type { Session } from '../../../../engine/sandbox/calls/session.ts';
import { HereSeat } from '../../../../engine/sandbox/ours/here-seat.ts';
import { startSeated } from '../../../../engine/sandbox/ours/seated.ts';
import type { Sandbox, SandboxSpec } from '../../../../engine/sandbox/contract/types.ts';
import { testMs } from '../../../patience.ts';
import { messages } from '../../message/arbitraries.ts';
import { SandboxBench } from '../harness.ts';

const bench = new SandboxBench();
afterAll(() => bench.close());

function batchOf(list: readonly Message[]): MessageBatch {
  const builder = new BatchBuilder();
  for (const one of list) builder.append(one);
  return builder.build();
}

async function outputOf(sandbox: Sandbox, batches: readonly (readonly [MessageBatch, Uint32Array | null])[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [batch, rows] of batches) {
    const { encoded, passed, failures, terminated } = await sandbox.process(batch, rows);
    const bytes = encoded ? Buffer.from(encoded.bytes).toString('base64') : null;
    results.push({ bytes, ends: encoded?.ends, rows: encoded?.rows, passed, failures, terminated });
  }
  await sandbox.stop();
  return results;
}

const encoders = bundledPlugins('encoder');
/** Encoders that a sandbox had to start, where the machine took too long. */
let leftToSandbox = 0;

describe('a bundled encoder in the process of a command', { timeout: 4 * testMs() }, () => {
  it.each(encoders.map((plugin) => [plugin.name, plugin] as const))('%s', async (_, plugin) => {
    const batches = fc.sample(messages(), { numRuns: 40, seed: 7 }).map((list): [MessageBatch, Uint32Array | null] => {
      const batch = batchOf(list);
      return [batch, list.length % 3 === 1 ? Uint32Array.from({ length: list.length >> 1 }, (_value, i) => 2 * i) : null];
    });
    const spec = sandboxSpec('encoder', plugin, { clock: 'message' });
    const inHost = (own: SandboxSpec): Promise<Sandbox> => bench.pool.createSandbox(own);
    const [direct, apart] = await Promise.all([startSeated(spec, { here: { interruptible: true } }, inHost), inHost(spec)]);
    if (!((direct as Session).seat instanceof HereSeat)) leftToSandbox++;
    expect(await outputOf(direct, batches)).toEqual(await outputOf(apart, batches));
  });

  it('is seldom left to a sandbox', () => expect(leftToSandbox).toBeLessThan(encoders.length / 2));
});
