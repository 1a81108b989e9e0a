import { Exit, type CommandContext } from '../command.ts';
import { decodeChunk, FileTimes, type Decoded } from '../decoded.ts';
import type { Matcher } from '../../matcher/matcher.ts';
import { MessagePrinter } from '../message-printer.ts';
import { ScriptJob } from '../script-job.ts';
import type { SecondReading } from '../../detect/second-reading.ts';
import type { StartedDecoder } from '../file-decoders.ts';
import type { Sandbox } from '../../sandbox/contract/types.ts';
import type { MatchedChunk } from './matched-chunks.ts';

/** A decoder's result, and which of its records are printed. */
interface DecodedMatches extends Decoded {
  readonly wanted: MatchedChunk['wanted'];
}

/** Decodes records that were found, and prints their messages as JSON. */
export class SearchJob extends ScriptJob<DecodedMatches> {
  readonly #printer: MessagePrinter;
  readonly #times = new FileTimes();
  #sandbox: Sandbox | null = null;
  #second: SecondReading | null = null;
  /** A record was found, also one that its decoder refuses. */
  #found = false;
  #anyEnded = false;

  readonly #isStrict: boolean;

  readonly #where: Matcher | null;

  /**
   * @param isStrict a record that no decoder takes is a failure
   * @param where selects the messages that are printed; null: all
   */
  constructor(context: CommandContext, isStrict: boolean, where: Matcher | null = null) {
    super(false, context);
    this.#isStrict = isStrict;
    this.#where = where;
    this.#printer = new MessagePrinter(context.out);
  }

  /** Decodes by this script from the next run on. */
  decodeBy({ sandbox, second }: Pick<StartedDecoder, 'sandbox' | 'second'>): void {
    this.#sandbox = sandbox;
    this.#second = second;
    this.ended = null;
  }

  /** Exit codes as grep has them. */
  override exitCode(): number {
    const { out, signal } = this.context;
    if (out.closed) return Exit.ok;
    if (signal.aborted) return Exit.interrupted;
    if (this.unreadable || this.#anyEnded || (this.#isStrict && this.failures.refused > 0)) return Exit.trouble;
    return this.#found ? Exit.ok : Exit.none;
  }

  protected async work(chunk: MatchedChunk): Promise<DecodedMatches> {
    return { ...(await decodeChunk(this.#sandbox, chunk, this.#second)), wanted: chunk.wanted };
  }

  protected async print(decoded: DecodedMatches): Promise<void> {
    const { chunk, wanted, refused } = decoded;
    const { injected, origins, terminated } = this.#times.timed(decoded);
    const rows = wanted === null ? null : new Set(wanted);
    if (injected !== null) {
      const matched = rows === null ? null : Uint32Array.from(indexes(injected.length).filter((at) => rows.has(origins?.[at] ?? at)));
      const printed = this.#where === null ? matched : this.#where.select(injected, matched);
      this.#found ||= (printed ?? indexes(injected.length)).length > 0;
      await this.#printer.print(injected, printed);
    }
    this.#found ||= this.#where === null && (wanted === null ? chunk.batch.length > 0 : wanted.length > 0);
    for (const { row, reason } of refused)
      if (rows === null || rows.has(row)) this.failures.addRefused(chunk.source, chunk.lineOf(row), reason);
    if (terminated === null) return;
    this.ended = terminated;
    this.#anyEnded = true;
    this.failures.addEnded(chunk.source, chunk.lineOf(Math.max(0, terminated.row)), 'decoder', terminated);
  }
}

const indexes = (length: number): number[] => Array.from({ length }, (_, at) => at);
