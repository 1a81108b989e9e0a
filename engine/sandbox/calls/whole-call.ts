import type { MessageBatch } from '../../message/batch/batch.ts';
import { concatBatches } from '../../message/batch/gather.ts';
import type { Processor, SandboxResult } from '../contract/types.ts';

/** Runs process_message for all rows, in several calls when an output writes, or a decoder makes, more than fits into one result. */
export async function processWhole(script: Processor, batch: MessageBatch, selection: Uint32Array | null): Promise<SandboxResult> {
  const parts: SandboxResult[] = [];
  let left = selection;
  for (;;) {
    const part = await script.process(batch, left);
    parts.push(part);
    if (part.done === undefined || part.terminated !== null) return parts.length === 1 ? part : joined(parts);
    left = (left ?? Uint32Array.from({ length: batch.length }, (_, row) => row)).subarray(part.done);
  }
}

function joined(parts: readonly SandboxResult[]): SandboxResult {
  const { done: _done, ...last } = parts.at(-1) as SandboxResult;
  const batches = parts.flatMap(({ injected }) => injected ?? []);
  return {
    ...last,
    injected: batches.length === 0 ? null : concatBatches(batches),
    origins: batches.length === 0 ? null : Uint32Array.from(parts.flatMap(({ origins }) => [...(origins ?? [])])),
    failures: parts.flatMap(({ failures }) => failures),
    ...joinedUnchanged(parts),
    written: parts.flatMap(({ written }) => written ?? []),
    writtenRows: parts.flatMap(({ writtenRows }) => writtenRows ?? []),
  };
}

/** The rows that decoders passed on, as rows of the messages of all parts together. */
export function joinedUnchanged(parts: readonly SandboxResult[]): Pick<SandboxResult, 'unchanged'> {
  if (parts.every(({ unchanged }) => unchanged === undefined)) return {};
  const rows: number[] = [];
  let before = 0;
  for (const { injected, unchanged } of parts) {
    for (const row of unchanged ?? []) rows.push(before + row);
    before += injected?.length ?? 0;
  }
  return { unchanged: Uint32Array.from(rows) };
}
