import { setTimeout as delay } from 'node:timers/promises';
import { textAt } from '../../message/batch/batch.ts';
import { takeRows } from '../../message/batch/take-rows.ts';
import { matchingTexts } from '../../search/matching-texts.ts';
import type { Pattern } from '../../search/ripgrep.ts';
import type { InputChunk } from '../message-source.ts';

/** Records, and which of them are to be printed. */
export interface MatchedChunk extends InputChunk {
  /** null: all. */
  readonly wanted: Uint32Array | null;
}

/** A chunk that waits to know which of its records stand near a match. */
interface Waiting {
  readonly chunk: InputChunk;
  /** Number of its first record. */
  readonly first: number;
  readonly wanted: Uint8Array;
}

/** Chunks that are searched at once, as each search starts a process. */
const GROUP = 16;
/** Milliseconds after which a group is searched though there may be more. */
const QUIET_MS = 50;

/**
 * Finds the records of which a line matches, and so many before and after each.
 * @param whole the decoder needs the records before, so that chunks come with all of them
 */
export async function* matchedChunks(
  chunks: AsyncIterable<InputChunk>,
  { pattern, context, whole }: { readonly pattern: Pattern; readonly context: number; readonly whole: boolean },
): AsyncGenerator<MatchedChunk> {
  const waiting: Waiting[] = [];
  let first = 0;
  /** Number behind the last record that is known to be wanted. */
  let until = 0;
  for await (const group of groups(chunks)) {
    const start = first;
    for (const chunk of group) {
      waiting.push({ chunk, first, wanted: new Uint8Array(chunk.batch.length) });
      first += chunk.batch.length;
    }
    mark(waiting, start, until);
    for (const row of await matchingTexts(pattern, group.flatMap(textsOf))) {
      until = start + row + context + 1;
      mark(waiting, start + row - context, until);
    }
    while (waiting.length > 0 && endOf(waiting[0] as Waiting) + context <= first) yield* matched(waiting.shift() as Waiting, whole);
  }
  for (const each of waiting) yield* matched(each, whole);
}

/** Gathers chunks that come soon after one another. */
async function* groups(chunks: AsyncIterable<InputChunk>): AsyncGenerator<readonly InputChunk[]> {
  const source = chunks[Symbol.asyncIterator]();
  let ended = false;
  try {
    let next = source.next();
    while (!ended) {
      const group: InputChunk[] = [];
      const quiet = new AbortController();
      const pause = delay(QUIET_MS, 'pause' as const, { signal: quiet.signal }).catch(() => 'pause' as const);
      for (;;) {
        const result = await (group.length === 0 ? next : Promise.race([next, pause]));
        if (result === 'pause') break;
        ended = result.done === true;
        if (result.done === true) break;
        group.push(result.value);
        next = source.next();
        // It is awaited in its turn.
        next.catch(() => undefined);
        if (group.length === GROUP) break;
      }
      quiet.abort();
      if (group.length > 0) yield group;
    }
  } finally {
    if (!ended) await source.return?.();
  }
}

const textsOf = ({ batch }: InputChunk): string[] => Array.from({ length: batch.length }, (_, row) => textAt(batch.payload, row) ?? '');
const endOf = ({ first, wanted }: Waiting): number => first + wanted.length;

/** Marks the records with numbers in [from, to). */
function mark(waiting: readonly Waiting[], from: number, to: number): void {
  for (const { first, wanted } of waiting) wanted.fill(1, Math.max(0, from - first), Math.max(0, to - first));
}

function* matched({ chunk, wanted: marks }: Waiting, whole: boolean): Generator<MatchedChunk> {
  const wanted = Uint32Array.from(Array.from(marks.keys()).filter((row) => marks[row] === 1));
  if (wanted.length === 0 && !whole) return;
  yield whole ? { ...chunk, wanted } : { ...rowsOf(chunk, wanted), wanted: null };
}

/** These records of a chunk. */
export function rowsOf(chunk: InputChunk, rows: Uint32Array): InputChunk {
  const { written } = chunk;
  return {
    ...chunk,
    batch: takeRows(chunk.batch, rows),
    written: written && BigInt64Array.from(rows, (row) => written[row] as bigint),
    lineOf: (row) => chunk.lineOf(rows[row] ?? 0),
  };
}
