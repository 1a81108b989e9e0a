import type { End } from '../api/ends.ts';
import type { ErrorCode } from '../api/errors.ts';
import { messageOf } from '../base/errors.ts';
import { DIRECT_BATCHES } from '../sandbox/ours/here-seat.ts';
import { Exit, type CommandContext } from './command.ts';
import { FailureReport } from './failures.ts';
import { mapInOrder } from './in-order.ts';
import type { InputChunk } from './message-source.ts';

/** Codes of errors after which the other inputs cannot be stored either. */
const FATAL: ReadonlySet<unknown> = new Set<ErrorCode>(['store.unwritable', 'query.tables']);

/** Chunks that are worked on while others are read and printed; decoders in this process take so many at once. */
const IN_FLIGHT = DIRECT_BATCHES;

/**
 * Base class of the decode, filter and encode jobs. Passes chunks of inputs through a script, several at a time, and prints the results in the order
 * of the chunks. An input that cannot be read is reported, and does not keep the next one from being read.
 */
export abstract class ScriptJob<Done> {
  /** `--each`: a line for each input. */
  protected readonly each: boolean;
  protected readonly context: CommandContext;
  protected readonly failures = new FailureReport();
  readonly #isStrict: boolean;
  /** The end of the script. */
  protected ended: End | null = null;
  /** A source could not be read. */
  protected unreadable = false;

  /** @param isStrict a record that no decoder takes makes the exit code 1 */
  protected constructor(each: boolean, context: CommandContext, isStrict = true) {
    this.each = each;
    this.#isStrict = isStrict;
    this.context = context;
  }

  protected abstract work(chunk: InputChunk): Promise<Done>;
  protected abstract print(done: Done): Promise<void>;

  /** @returns whether all of the source went through the script */
  async run(chunks: AsyncIterable<InputChunk>): Promise<boolean> {
    const { out, signal } = this.context;
    if (this.stopped) return false;
    const isRead = await this.try(async () => {
      for await (const done of mapInOrder(chunks, (chunk) => this.work(chunk), IN_FLIGHT, signal)) {
        if (signal.aborted) return;
        await this.print(done);
        await out.flush();
        if (this.stopped) return;
      }
    });
    return isRead && !this.stopped;
  }

  /** Does something with a source, and reports if it cannot be read. @returns whether it was done @throws what concerns other sources, too */
  async try(work: () => Promise<unknown>): Promise<boolean> {
    const { signal, complain } = this.context;
    try {
      await work();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof Error && 'code' in error) || FATAL.has(error.code)) throw error;
      complain(messageOf(error));
      this.unreadable = true;
      return false;
    }
  }

  exitCode(): number {
    const { out, signal } = this.context;
    if (out.closed) return Exit.ok;
    if (signal.aborted) return Exit.interrupted;
    if (this.failures.count > 0 || this.unreadable) return Exit.trouble;
    return this.#isStrict && this.failures.refused > 0 ? Exit.none : Exit.ok;
  }

  /** Says how many records no decoder took. @param what became of them */
  protected tellCount(what: string): void {
    const { refused } = this.failures;
    if (refused > 0 && !this.each) this.context.complain(`${refused === 1 ? '1 record was' : `${refused} records were`} refused${what}`);
  }

  /** Without `--each` nothing more can come of a script that has ended. */
  protected get stopped(): boolean {
    return this.context.signal.aborted || (this.ended !== null && !this.each);
  }
}
