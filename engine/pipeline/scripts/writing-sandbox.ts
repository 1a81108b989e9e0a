import type { End } from '../../api/ends.ts';
import { messageOf } from '../../base/errors.ts';
import type { MessageBatch } from '../../message/batch/batch.ts';
import type { ClockKind } from '../../message/types.ts';
import { NotDeliveredError } from '../../outputs/delivery.ts';
import type { Writer } from '../../outputs/writers.ts';
import type { Held, Sandbox, SandboxReport, SandboxResult, SandboxSpec, SandboxState } from '../../sandbox/contract/types.ts';
import { Serial } from '../../base/time/serial.ts';

/** A writer that takes several writes at once has at most so many bytes of them. */
const OPEN_BYTES = 4 << 20;

interface OpenWrite {
  readonly bytes: number;
  readonly done: Promise<void>;
}

/**
 * The sandbox of an output with a target: a call is done when what it wrote was handed on. While that is being written the next call runs, and no
 * further one, so that a slow target slows down everything in front of it.
 */
export class WritingSandbox implements Sandbox {
  readonly spec: SandboxSpec;
  readonly #sandbox: Sandbox;
  readonly #writer: Writer;
  readonly #onError: (text: string) => void;
  readonly #turns = new Serial();
  #open: OpenWrite[] = [];
  /** The target does not take any more: the script gets no further messages either. */
  #refusal: NotDeliveredError | null = null;
  #records = 0;
  #bytes = 0;
  #lost = 0;

  /** @param onError hears of records that are lost */
  constructor(sandbox: Sandbox, writer: Writer, onError: (text: string) => void) {
    this.spec = sandbox.spec;
    this.#sandbox = sandbox;
    this.#writer = writer;
    this.#onError = onError;
  }

  get state(): SandboxState {
    return this.#sandbox.state;
  }

  /** Counts for reports. */
  get figures(): Readonly<Record<string, number>> {
    return { WrittenCount: this.#records, WrittenBytes: this.#bytes, LostCount: this.#lost, ...this.#writer.figures };
  }

  get problem(): string | null {
    return this.#writer.problem ?? null;
  }

  /** As of any sandbox; rejects with a NotDeliveredError when what it wrote was not handed on. */
  process(batch: MessageBatch, selection: Uint32Array | null, timed = 0): Promise<SandboxResult> {
    return this.#inTurn((writes) => this.#processAll(batch, selection, timed, writes));
  }

  /** Calls timer_event. Records that it writes are lost if they are not delivered: they belong to no message that could be repeated. */
  timer(ns: bigint): Promise<SandboxResult> {
    let records = 0;
    const tick = this.#inTurn(async (writes) => {
      const result = await this.#sandbox.timer(ns);
      records = result.written?.length ?? 0;
      return this.#handOver(result, writes);
    });
    return tick.catch((error: unknown) => {
      if (error instanceof NotDeliveredError) {
        this.#lost += records;
        this.#onError(
          records > 0
            ? `${records} records of its timer_event are lost: ${error.message}`
            : `its timer_event is left out: ${error.message}`,
        );
      }
      throw error;
    });
  }

  report(): Promise<SandboxReport> {
    return this.#sandbox.report();
  }

  async save(path: string): Promise<void> {
    await this.#sandbox.save?.(path);
  }

  useClock(clock: ClockKind): void {
    this.#sandbox.useClock?.(clock);
  }

  terminate(end: End): void {
    this.#sandbox.terminate?.(end);
  }

  /** Opens anew what it writes to, after what it has. */
  reopen(): Promise<void> {
    const reopened = this.#turns.run(async () => {
      await this.#written();
      await this.#writer.reopen?.();
    });
    return reopened.catch((error: unknown) => this.#onError(`could not be opened again: ${messageOf(error)}`));
  }

  closing(): void {
    this.#writer.closing?.();
  }

  async stop(): Promise<void> {
    await this.#turns.idle();
    await this.#sandbox.stop();
    await this.#written();
    await this.#writer.close().catch((error: unknown) => this.#onError(messageOf(error)));
  }

  /** Does a call after those before it, and waits for what it writes. */
  async #inTurn(call: (writes: Promise<void>[]) => Promise<SandboxResult>): Promise<SandboxResult> {
    const writes: Promise<void>[] = [];
    const result = await this.#turns.run(() => {
      if (this.#refusal !== null) throw this.#refusal;
      return call(writes);
    });
    await Promise.all(writes);
    return result;
  }

  /** Processes all selected rows. Makes further calls when one stops early because there is much to write. */
  async #processAll(batch: MessageBatch, selection: Uint32Array | null, timed: number, writes: Promise<void>[]): Promise<SandboxResult> {
    const failures: SandboxResult['failures'][number][] = [];
    let left = selection;
    let held: Held | undefined;
    for (;;) {
      const result = await this.#sandbox.process(batch, left, timed);
      failures.push(...result.failures);
      await this.#handOver(result, writes);
      held = joinedHeld(held, result.held, result.done ?? left?.length ?? batch.length);
      if (result.done === undefined || result.terminated !== null) return { ...result, failures, held };
      left = (left ?? Uint32Array.from({ length: batch.length }, (_, row) => row)).subarray(result.done);
    }
  }

  /** Begins to write what a call wrote, when the writer is ready for it. */
  async #handOver(result: SandboxResult, writes: Promise<void>[]): Promise<SandboxResult> {
    const { written: records = [] } = result;
    if (records.length === 0) return result;
    while (this.#isBusy) await (this.#open[0] as OpenWrite).done;
    if (this.#refusal !== null) throw this.#refusal;
    const bytes = records.reduce((sum, record) => sum + record.length, 0);
    const writing = this.#write(records, bytes);
    const done = writing.catch(() => undefined);
    const open = { bytes, done };
    this.#open.push(open);
    void done.then(() => (this.#open = this.#open.filter((other) => other !== open)));
    // The caller that waits for the call gets the error; there is none when the script has ended meanwhile.
    writes.push(writing);
    return result;
  }

  get #isBusy(): boolean {
    if (this.#open.length === 0) return false;
    return this.#writer.overlaps !== true || this.#open.reduce((sum, { bytes }) => sum + bytes, 0) > OPEN_BYTES;
  }

  async #write(records: readonly Uint8Array[], bytes: number): Promise<void> {
    try {
      await this.#writer.write(records);
      this.#records += records.length;
      this.#bytes += bytes;
    } catch (error) {
      if (error instanceof NotDeliveredError) throw (this.#refusal = error);
      this.#lost += records.length;
      this.#onError(`${records.length} records could not be written and are lost: ${messageOf(error)}`);
    }
  }

  async #written(): Promise<void> {
    while (this.#open.length > 0) await (this.#open[0] as OpenWrite).done;
  }
}

/** Joins what two calls, one after the other, say about held messages. @param messages number of those of the second call */
function joinedHeld(first: Held | undefined, second: Held | undefined, messages: number): Held | undefined {
  if (first === undefined || second?.released === true) return second;
  if (first.kept > 0) return { ...first, kept: first.kept + messages };
  return { ...first, kept: second?.kept ?? 0 };
}
