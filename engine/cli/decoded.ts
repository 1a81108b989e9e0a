import { takeRows } from '../message/batch/gather.ts';
import { nowNs } from '../message/timestamp.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { textOfRows, type DecodedBatch } from '../pipeline/decoded.ts';
import { hasTimeless, hintsOf, withInheritedTimes, withTimes, type TimeHints } from '../pipeline/inherited-times.ts';
import { RepeatedHour } from '../pipeline/repeated-hour.ts';
import { endOf } from '../sandbox/contract/errors.ts';
import type { SecondReading } from '../detect/second-reading.ts';
import { NO_RESULT, type Failure, type Sandbox, type SandboxResult } from '../sandbox/contract/types.ts';
import type { InputChunk } from './message-source.ts';

const NONE: ReadonlyMap<number, number> = new Map();

/** Records that went through a decoder. */
export interface Decoded {
  readonly chunk: InputChunk;
  readonly result: SandboxResult;
  /** Records that no decoder took; unless they were left out, `result` has them, too. */
  readonly refused: readonly Failure[];
  /** The last rows of records that were joined of several, by their first rows. */
  readonly joined: ReadonlyMap<number, number>;
  /** Hints that tell messages without a time; null: all have one. */
  readonly hints: Omit<TimeHints, 'before'> | null;
  /** The parameter tz of the decoder. */
  readonly zone?: unknown;
}

/**
 * Decodes records. The end of the decoder is part of the result.
 * @param sandbox null: nothing is decoded
 * @param second reads what the decoder refuses; null: that is left out
 */
export async function decodeChunk(sandbox: Sandbox | null, chunk: InputChunk, second: SecondReading | null): Promise<Decoded> {
  if (chunk.batch.length === 0 || sandbox === null) return { chunk, result: NO_RESULT, refused: [], joined: NONE, hints: null };
  const from = nowNs();
  try {
    const first = await sandbox.process(chunk.batch, null);
    const { result, refused, joined } =
      second === null ? { result: first, refused: first.failures, joined: NONE } : await second.complete(chunk.batch, first);
    const hints = chunk.written === undefined ? null : hintsOf(chunk.written, from);
    return { chunk, result, refused, joined, hints, zone: sandbox.spec.config['tz'] };
  } catch (error) {
    return { chunk, result: { ...NO_RESULT, terminated: { ...endOf(error), row: 0 } }, refused: [], joined: NONE, hints: null };
  }
}

/** Whether all records were decoded to messages that have times of their own: then none of them counts on others. */
export function isSelfReliant({ chunk, result, hints }: Decoded): boolean {
  const { injected, origins, failures, terminated } = result;
  if (terminated !== null || failures.length > 0) return false;
  if (injected === null || hints === null) return true;
  return !hasTimeless(undecidedOf(chunk.batch, injected, origins), hints);
}

/** Settles times by the order of a file: of an hour that a clock shows twice, and of messages whose decoder found none, which take those of their neighbours or of their file. */
export class FileTimes {
  /** Time of the last message of a file. */
  #last: { readonly source: string; readonly time: bigint | null } = { source: '', time: null };
  #hour: { readonly source: string; readonly hour: RepeatedHour | null } | null = null;

  timed({ chunk: { source, batch }, result, hints, zone }: Decoded): SandboxResult {
    const { injected, origins } = result;
    if (injected === null) return result;
    if (this.#hour?.source !== source) this.#hour = { source, hour: RepeatedHour.of(zone) };
    const { hour } = this.#hour;
    if (hints === null && hour === null) return result;
    const before = this.#last.source === source ? this.#last.time : null;
    const found = undecidedOf(batch, injected, origins);
    const ordered = hour === null ? found : withTimes(found, hour.settled(injected.timestamps));
    if (hints === null) return { ...result, injected: ordered.batch };
    const { decoded, last } = withInheritedTimes(ordered, { ...hints, before });
    this.#last = { source, time: last };
    return { ...result, injected: decoded.batch };
  }
}

const undecidedOf = (records: MessageBatch, injected: MessageBatch, origins: SandboxResult['origins']): DecodedBatch => ({
  batch: injected,
  decoded: injected,
  raw: textOfRows(records.payload, origins),
  failures: [],
  origins,
  undecoded: 0,
});

/** The messages without the records that the decoder passed on, such as the header of a CSV file. */
export function withoutUnchanged(result: SandboxResult): SandboxResult {
  const { injected, origins, unchanged } = result;
  if (injected === null || unchanged === undefined) return result;
  const left = new Set(unchanged);
  const rows = Uint32Array.from({ length: injected.length }, (_, row) => row).filter((row) => !left.has(row));
  return { ...result, injected: takeRows(injected, rows), origins: origins === null ? rows : rows.map((row) => origins[row] as number) };
}
