import type { MessageBatch } from '../engine/message/batch/batch.ts';
import type { Sandbox, SandboxResult } from '../engine/sandbox/contract/types.ts';

/**
 * Gives a batch to a sandbox.
 * @throws Error that names the sandbox and says why, when it has ended: the figures would be of nothing
 */
export async function processed(sandbox: Sandbox, batch: MessageBatch, rows: Uint32Array | null): Promise<SandboxResult> {
  const result = await sandbox.process(batch, rows);
  const { kind, name } = sandbox.spec;
  if (result.terminated !== null) throw new Error(`the ${kind} ${name} has ended: ${result.terminated.reason}`);
  return result;
}
