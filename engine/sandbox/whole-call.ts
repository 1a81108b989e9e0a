import type { MessageBatch } from '../message/batch.ts';
import type { Sandbox, SandboxResult } from './types.ts';

/** Runs process_message for all rows, in several calls when an output writes more than fits into one result. */
export async function processWhole(sandbox: Sandbox, batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
  const parts: SandboxResult[] = [];
  let left = selection;
  for (;;) {
    const part = await sandbox.process(batch, left);
    parts.push(part);
    if (part.done === undefined || part.terminated !== null) return parts.length === 1 ? part : joined(parts);
    left = (left ?? Uint32Array.from({ length: batch.length }, (_, row) => row)).subarray(part.done);
  }
}

function joined(parts: readonly SandboxResult[]): SandboxResult {
  const { done: _done, ...last } = parts.at(-1) as SandboxResult;
  return {
    ...last,
    failures: parts.flatMap(({ failures }) => failures),
    written: parts.flatMap(({ written }) => written ?? []),
    writtenRows: parts.flatMap(({ writtenRows }) => writtenRows ?? []),
  };
}
