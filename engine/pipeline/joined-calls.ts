import type { MessageBatch } from '../message/batch/batch.ts';
import { concatBatches, takeRows } from '../message/batch/gather.ts';
import type { ClockKind } from '../message/types.ts';
import { NO_RESULT, type SandboxResult, type Termination, type TimedProcessor } from '../sandbox/contract/types.ts';

/** A call for more messages than this goes by itself. */
const FEW = 256;
/** Most messages of calls that go together. */
const TOGETHER = 2048;

/** A call that waits. */
interface Waiting {
  readonly batch: MessageBatch;
  readonly rows: Uint32Array | null;
  /** Number of its messages. */
  readonly count: number;
  readonly resolve: (result: SandboxResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Calls the sandbox of a filter. While a call is under way, calls for a few messages wait and then go as one, for a call takes as long as some
 * thousand messages of a quick filter. Order, ticks and the result of each call are those of calls that go by themselves.
 */
export class JoinedCalls {
  readonly #sandbox: TimedProcessor;
  #waiting: Waiting[] = [];
  /** Number of the messages that wait. */
  #messages = 0;
  #underWay = 0;

  constructor(sandbox: TimedProcessor) {
    this.#sandbox = sandbox;
  }

  /** See `Processor.process`. */
  process(batch: MessageBatch, rows: Uint32Array | null): Promise<SandboxResult> {
    const count = rows?.length ?? batch.length;
    if (this.#underWay === 0 || count > FEW) {
      this.#flush();
      return this.#watched(this.#sandbox.process(batch, rows));
    }
    if (this.#messages + count > TOGETHER) this.#flush();
    this.#messages += count;
    return new Promise((resolve, reject) => this.#waiting.push({ batch, rows, count, resolve, reject }));
  }

  /** See `TimedProcessor.timer`. */
  timer(ns: bigint): Promise<SandboxResult> {
    this.#flush();
    return this.#watched(this.#sandbox.timer(ns));
  }

  /** See `TimedProcessor.useClock`. */
  useClock(clock: ClockKind): void {
    this.#flush();
    this.#sandbox.useClock?.(clock);
  }

  #watched(call: Promise<SandboxResult>): Promise<SandboxResult> {
    this.#underWay++;
    const over = (): void => {
      if (--this.#underWay === 0) this.#flush();
    };
    call.then(over, over);
    return call;
  }

  /** Sends what waits. */
  #flush(): void {
    const calls = this.#waiting;
    if (calls.length === 0) return;
    this.#waiting = [];
    this.#messages = 0;
    this.#watched(this.#send(calls)).then(
      (result) => {
        for (const [i, part] of partsOf(result, calls).entries()) calls[i]?.resolve(part);
      },
      (error: unknown) => {
        for (const { reject } of calls) reject(error);
      },
    );
  }

  async #send(calls: readonly Waiting[]): Promise<SandboxResult> {
    const [first] = calls;
    if (calls.length === 1 && first !== undefined) return this.#sandbox.process(first.batch, first.rows);
    return this.#sandbox.process(concatBatches(calls.map(({ batch, rows }) => (rows === null ? batch : takeRows(batch, rows)))), null);
  }
}

/** Cuts the result of calls that went as one into theirs. */
function partsOf(result: SandboxResult, calls: readonly Waiting[]): SandboxResult[] {
  if (calls.length === 1) return [result];
  const { terminated } = result;
  const parts: SandboxResult[] = [];
  let base = 0;
  let from = 0;
  let end: Termination | null = null;
  for (const call of calls) {
    const isLast = call === calls.at(-1);
    if (end !== null) {
      // Calls behind its end find the sandbox ended.
      parts.push({ ...NO_RESULT, terminated: { ...end, row: -1 } });
      continue;
    }
    const to = isLast ? (result.injected?.length ?? 0) : injectedBefore(result, base + call.count, from);
    if (terminated !== null && (isLast || endsBefore(result, terminated, base + call.count, to))) end = terminated;
    parts.push(partOf(result, call, { base, from, to, end }));
    base += call.count;
    from = to;
  }
  return parts;
}

/** Number of the messages that were injected for rows below this one. @param from so many are */
function injectedBefore({ injected, origins }: SandboxResult, row: number, from: number): number {
  const count = injected?.length ?? 0;
  if (origins === null) return Math.min(row, count);
  let to = from;
  while (to < count && (origins[to] as number) < row) to++;
  return to;
}

/** Whether the sandbox ended before this row. Where its row is not known, nothing came of any row from this one on. @param to so many messages came before */
function endsBefore({ injected, failures }: SandboxResult, { row }: Termination, bound: number, to: number): boolean {
  return row >= 0 ? row < bound : to === (injected?.length ?? 0) && failures.every((failure) => failure.row < bound);
}

interface Place {
  /** The call's first row. */
  readonly base: number;
  /** The messages that it injected: the first one, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  readonly end: Termination | null;
}

function partOf(result: SandboxResult, { rows, count }: Waiting, { base, from, to, end }: Place): SandboxResult {
  const rowOf = (row: number): number => (rows === null ? row - base : (rows[row - base] ?? row - base));
  const { injected, origins, failures } = result;
  const made = Uint32Array.from({ length: to - from }, (_, i) => from + i);
  return {
    ...result,
    injected: injected === null || made.length === 0 ? null : takeRows(injected, made),
    origins: made.map((i) => rowOf(origins === null ? i : (origins[i] as number))),
    failures: failures.filter(({ row }) => row >= base && row < base + count).map(({ row, reason }) => ({ row: rowOf(row), reason })),
    terminated: end === null ? null : { ...end, row: end.row < 0 ? -1 : rowOf(end.row) },
  };
}
