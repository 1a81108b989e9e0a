import { expect, test } from 'vitest';
import { readRecords } from '../../../engine/inputs/shared/read.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { findPlugin } from '../../../engine/plugins/catalog.ts';
import { sandboxSpec } from '../../../engine/plugins/sandboxes.ts';
import { startSandboxes } from '../../../engine/plugins/starter.ts';
import type { SandboxResult } from '../../../engine/sandbox/contract/types.ts';
import { onCores } from '../../../bench/cores.ts';
import { largeLog, LOG_FORMAT } from '../../../bench/samples.ts';

/** Rounds over the batches. */
const ROUNDS = 4;
/** Ten thousand lines, so many times: some megabytes. */
const COPIES = 20;
const IN_FLIGHT = 4;

async function decodeAll(): Promise<readonly unknown[]> {
  const sandboxes = startSandboxes({ hosts: 1 });
  const spec = sandboxSpec('decoder', findPlugin('decoder', 'nginx_access'), { config: { log_format: LOG_FORMAT } });
  const sandbox = await sandboxes.start(spec);
  const batches: MessageBatch[] = [];
  for await (const { batch } of readRecords(largeLog(COPIES).path)) batches.push(batch);
  const underWay: Promise<SandboxResult>[] = [];
  const ends: unknown[] = [];
  for (const batch of Array.from({ length: ROUNDS }, () => batches).flat()) {
    underWay.push(sandbox.process(batch, null));
    if (underWay.length >= IN_FLIGHT) ends.push((await underWay.shift())?.terminated);
  }
  ends.push(...(await Promise.all(underWay)).map(({ terminated }) => terminated));
  await sandboxes.close();
  return ends;
}

// On one core V8's threads that free memory come late.
test('the garbage of full speed is not held against a script', async () => {
  const ends = (await onCores(decodeAll)).flat();
  expect(ends).toEqual(ends.map(() => null));
});
