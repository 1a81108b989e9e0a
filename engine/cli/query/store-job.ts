import { Exit, type CommandContext } from '../command.ts';
import type { InputChunk } from '../message-source.ts';
import { ScriptJob } from '../script-job.ts';
import { endedText } from '../failures.ts';
import { nowNs } from '../../message/timestamp.ts';
import { hintsOf, withInheritedTimes, type TimeHints } from '../../pipeline/inherited-times.ts';
import { endOf } from '../../sandbox/errors.ts';
import { NO_RESULT } from '../../sandbox/result.ts';
import type { Sandbox, SandboxResult } from '../../sandbox/types.ts';
import type { FileStore } from './file-store.ts';

interface Decoded {
  readonly chunk: InputChunk;
  readonly result: SandboxResult;
  readonly hints: Omit<TimeHints, 'before'> | null;
}

/** Chunks that are decoded while others are read and stored. */
const IN_FLIGHT = 3;

/** Decodes the records of a file and stores the messages as rows of a table. */
export class StoreJob extends ScriptJob<Decoded> {
  readonly #store: FileStore;
  readonly #onRows: (rows: number) => void;
  #sandbox: Sandbox | null = null;
  #table = '';
  #last: bigint | null = null;
  #refused = { count: 0, first: '' };
  #anyRefused = false;

  /** @param onRows called with the number of rows that were added */
  constructor(store: FileStore, context: CommandContext, onRows: (rows: number) => void) {
    super(false, context, IN_FLIGHT);
    this.#store = store;
    this.#onRows = onRows;
  }

  /** Decodes by this script, into this table, from the next run on. */
  into(table: string, sandbox: Sandbox): void {
    this.#table = table;
    this.#sandbox = sandbox;
    this.#last = null;
    this.#refused = { count: 0, first: '' };
    this.ended = null;
    this.#store.table(table);
  }

  override exitCode(): number {
    const code = super.exitCode();
    return code === Exit.ok && this.#anyRefused ? Exit.failed : code;
  }

  /** Says what of a file is not in its table. */
  tellRefused(file: string): void {
    const { count, first } = this.#refused;
    if (count === 0) return;
    const records = count === 1 ? '1 record is' : `${count} records are`;
    this.context.complain(`${file}: ${records} not in the table ${this.#table}; the first one: ${first}`);
  }

  protected async work(chunk: InputChunk): Promise<Decoded> {
    if (chunk.batch.length === 0 || this.#sandbox === null) return { chunk, result: NO_RESULT, hints: null };
    const from = nowNs();
    try {
      const result = await this.#sandbox.process(chunk.batch, null);
      return { chunk, result, hints: chunk.written === undefined ? null : hintsOf(chunk.written, from) };
    } catch (error) {
      return { chunk, result: { ...NO_RESULT, terminated: { ...endOf(error), row: 0 } }, hints: null };
    }
  }

  protected async print({ chunk, result, hints }: Decoded): Promise<void> {
    const { injected, origins, failures, terminated } = result;
    if (injected !== null) {
      const found = { batch: injected, decoded: injected, raw: null, failures: [], origins, undecoded: 0 };
      const timed = hints === null ? null : withInheritedTimes(found, { ...hints, before: this.#last });
      this.#last = timed?.last ?? this.#last;
      await this.#store.add(this.#table, timed?.decoded.batch ?? injected);
      this.#onRows(injected.length);
    }
    const [failure] = failures;
    if (failure !== undefined) this.#refuse(failures.length, `line ${chunk.lineOf(failure.row)}: ${failure.reason}`);
    if (terminated === null) return;
    this.ended = terminated;
    this.failures.addEnded(chunk.source, chunk.lineOf(Math.max(0, terminated.row)), 'decoder', terminated);
    this.#refuse(chunk.batch.length - failures.length, endedText('decoder', terminated));
  }

  #refuse(count: number, reason: string): void {
    if (this.#refused.count === 0) this.#refused.first = reason;
    this.#refused.count += count;
    this.#anyRefused = true;
  }
}
