import { Exit, type CommandContext } from '../command.ts';
import type { StartedDecoder } from '../file-decoders.ts';
import { decodeChunk, FileTimes, withoutUnchanged, type Decoded } from '../decoded.ts';
import type { InputChunk } from '../message-source.ts';
import { ScriptJob } from '../script-job.ts';
import { endedText } from '../failures.ts';
import { MessageBatch } from '../../message/batch/batch.ts';
import { takeRows } from '../../message/batch/gather.ts';
import type { SecondReading } from '../../detect/second-reading.ts';
import type { Sandbox } from '../../sandbox/contract/types.ts';

/** A place for the rows of tables. */
export interface RowSink {
  /** Makes a table, also one without rows. */
  table(name: string): void;
  /** @param raw the records that the messages were made of, as Payloads; null: they are not kept */
  add(name: string, batch: MessageBatch, raw: MessageBatch | null): Promise<void>;
}

export interface StoreOptions {
  /** The records that the messages were made of are stored, too. */
  readonly keepsRaw?: boolean;
  /** A record that no decoder takes makes the exit code 1. */
  readonly isStrict?: boolean;
  /** Records that no decoder takes are left out. */
  readonly onlyDecoded?: boolean;
}

/** Decodes the records of a file and stores the messages as rows of a table. */
export class StoreJob extends ScriptJob<Decoded> {
  readonly #store: RowSink;
  readonly #onRows: (rows: number) => void;
  #sandbox: Sandbox | null = null;
  #second: SecondReading | null = null;
  #table = '';
  #hasComments = false;
  #times = new FileTimes();
  #refused = { count: 0, first: '', isCut: false };
  /** Records are not in the table because their decoder ended, or one was refused that must not be. */
  #anyLost = false;

  readonly #keepsRaw: boolean;
  readonly #isStrict: boolean;
  readonly #onlyDecoded: boolean;

  /**
   * @param onRows called with the number of rows that were added
   */
  constructor(
    store: RowSink,
    context: CommandContext,
    onRows: (rows: number) => void,
    { keepsRaw = false, isStrict = false, onlyDecoded = false }: StoreOptions = {},
  ) {
    super(false, context, isStrict);
    this.#onlyDecoded = onlyDecoded;
    this.#isStrict = isStrict;
    this.#keepsRaw = keepsRaw;
    this.#store = store;
    this.#onRows = onRows;
  }

  /** Decodes by this script, into this table, from the next run on. */
  into(table: string, { sandbox, decoder, second }: StartedDecoder): void {
    this.#table = table;
    this.#sandbox = sandbox;
    this.#second = second;
    this.#hasComments = decoder?.[0].meta?.comments === true;
    this.#times = new FileTimes();
    this.#refused = { count: 0, first: '', isCut: false };
    this.ended = null;
    this.#store.table(table);
  }

  override exitCode(): number {
    const code = super.exitCode();
    return code === Exit.ok && this.#anyLost ? Exit.none : code;
  }

  /** Says what of a file is not in its table. */
  tellRefused(file: string): void {
    const { count, first, isCut } = this.#refused;
    if (count === 0) return;
    const records = count === 1 ? '1 record was' : `${count} records were`;
    const place = this.#onlyDecoded || isCut ? `not in the table ${this.#table}` : `in the table ${this.#table} with decode_error`;
    const rest = isCut ? ', nor is what follows in the file' : '';
    this.context.complain(`${file}: ${records} refused, and ${place}${rest}; the first one: ${first}`);
  }

  protected work(chunk: InputChunk): Promise<Decoded> {
    return decodeChunk(this.#sandbox, chunk, this.#second);
  }

  protected async print(decoded: Decoded): Promise<void> {
    const { chunk, refused } = decoded;
    const timed = this.#times.timed(decoded);
    const { injected, origins, terminated } = this.#hasComments ? withoutUnchanged(timed) : timed;
    if (injected !== null) {
      await this.#store.add(this.#table, injected, this.#keepsRaw ? recordsOf(chunk, origins) : null);
      this.#onRows(injected.length);
    }
    const [failure] = refused;
    if (failure !== undefined) this.#refuse(refused.length, `line ${chunk.lineOf(failure.row)}: ${failure.reason}`);
    if (terminated === null) return;
    this.ended = terminated;
    const row = Math.max(0, terminated.row);
    this.failures.addEnded(chunk.source, chunk.lineOf(row), 'decoder', terminated);
    this.#refuse(chunk.batch.length - row, endedText('decoder', terminated));
    this.#refused.isCut = true;
    this.#anyLost = true;
  }

  #refuse(count: number, reason: string): void {
    if (this.#refused.count === 0) this.#refused.first = reason;
    this.#refused.count += count;
    this.#anyLost ||= this.#isStrict;
  }
}

/** The records that messages were made of. @param origins the record of each message; null: each record became one */
function recordsOf({ batch: { length, timestamps, payload } }: InputChunk, origins: Uint32Array | null): MessageBatch {
  const records = new MessageBatch({ length, timestamps, payload });
  return origins === null ? records : takeRows(records, origins);
}
