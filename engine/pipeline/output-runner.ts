import { messageOf } from '../base/errors.ts';
import { PackedPieces } from '../message/batch/packed.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import type { End } from '../api/ends.ts';
import { EncoderEndedError, type AnyBatchEncoder } from '../outputs/encode.ts';
import type { Pieces, Receipt, Writer } from '../outputs/writers.ts';
import type { Sandbox } from '../sandbox/contract/types.ts';
import { Serial } from '../base/time/serial.ts';
import type { Consumer } from './consumer.ts';
import { ofMessages, receiptForPieces } from './piece-receipt.ts';
import { bytes, count, ownFields, problemField, runnerFields, sandboxFields, type PluginReport } from './plugin-report.ts';
import { Subscription, type Selection, type Selector } from './selection.ts';

export interface OutputOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Name of the signer whose messages alone are taken. */
  readonly signer?: string | undefined;
  readonly encoder: AnyBatchEncoder;
  /** The encoder makes protobuf without framing: messages that are there in protobuf need none. */
  readonly takesProtobuf?: boolean;
  /** The encoder's sandbox, if it is a script. */
  readonly encoderSandbox?: Sandbox;
  readonly writer: Writer;
  /** Keeps what it did not write when it has ended by itself: it stays in its buffer, or is read again at the next start. */
  readonly keepsRest?: boolean;
  /** Called when a batch could not be written and is lost. */
  readonly onError: (text: string) => void;
  /** Called when its encoder has ended; `onEnd` follows. */
  readonly onEncoderEnd?: (end: End) => void;
  /** Called when it has ended by itself, after its last attempt or with its encoder. */
  readonly onEnd?: (reason: string) => void;
  /** Number of messages that came to it after its end, or waited for it then, and are lost. */
  readonly onDropped?: (messages: number) => void;
  /**
   * Told when it stops: so many messages were not written, which no buffer keeps. Those of files are read again at the next start; `lost` were made by filters, and
   * nothing makes them again.
   */
  readonly onLeft?: ((messages: number, lost: number) => void) | undefined;
  /** Called when the last batch is written. */
  readonly onStop?: () => Promise<void>;
}

/** Runs an output: encodes the messages that it wants and writes them, in order. */
export class OutputRunner implements Consumer {
  readonly name: string;
  readonly takesRows = true;
  readonly subscription: Subscription;
  readonly #options: OutputOptions;
  #pending = 0;
  #messages = 0;
  #failures = 0;
  #bytes = 0;
  /** The reason for which it has ended by itself. */
  #ended: string | null = null;
  #dropped = 0;
  #left = 0;
  /** Number of those that nothing makes again. */
  #lost = 0;
  readonly #turns = new Serial();
  readonly gathers: boolean;
  /** Only with a writer that gathers. */
  readonly take?: NonNullable<Consumer['take']>;

  constructor(options: OutputOptions) {
    this.name = options.name;
    this.subscription = new Subscription(options);
    this.#options = options;
    const { writer } = options;
    this.gathers = writer.room !== undefined;
    if (this.gathers) this.take = (selection, receipt) => this.#take(selection, receipt);
  }

  get pending(): number {
    return this.#pending;
  }

  /** The mark of what an earlier run has written; null: its target does not say. */
  get resumedAt(): string | null {
    return this.#options.writer.resumedAt ?? null;
  }

  submit(selection: Selection, receipt?: Receipt): Promise<void> {
    this.#pending++;
    return this.#begin(selection, receipt).written.finally(() => this.#pending--);
  }

  /** Resolves when the writer has the rows, and room for further ones. */
  async #take(selection: Selection, receipt?: Receipt): Promise<{ readonly safe: Promise<void> }> {
    this.#pending++;
    const { begun, written } = this.#begin(selection, receipt);
    written.catch(() => undefined);
    try {
      await begun;
      await this.#options.writer.room?.();
    } finally {
      this.#pending--;
    }
    return { safe: written };
  }

  /** `begun` resolves when the writer has the rows, `written` when they are written. */
  #begin(selection: Selection, receipt?: Receipt): { readonly begun: Promise<unknown>; readonly written: Promise<void> } {
    const turn = this.#turns.run(async () => {
      const encoded = await this.#encode(selection, receipt);
      if (this.#options.writer.overlaps !== true) await encoded.written;
      return encoded;
    });
    const written = this.#counted(turn, selection.rows?.length ?? selection.batch.length, selection.loop > 0);
    return { begun: turn.catch(() => undefined), written };
  }

  /** Counts messages that are left. Does not hold them: it may be long until they are written. */
  async #counted(turn: Promise<{ readonly written: Promise<void> }>, messages: number, isInjected: boolean): Promise<void> {
    try {
      await (
        await turn
      ).written;
    } catch (error) {
      if (error instanceof NotDeliveredError) {
        const left = messages - error.done;
        this.#left += left;
        if (isInjected) this.#lost += left;
      }
      throw error;
    }
  }

  async report(capacity: number): Promise<PluginReport> {
    const fields = {
      ...runnerFields(this.#pending, capacity, this.subscription),
      ProcessMessageCount: count(this.#messages),
      ProcessMessageFailures: count(this.#failures),
      ...(this.#options.writer.writeBatch === undefined ? { WrittenBytes: bytes(this.#bytes) } : {}),
      ...ownFields(this.#options.writer.figures),
      ...problemField(this.#ended ?? this.#options.writer.problem),
    };
    return { name: this.name, fields };
  }

  async encoderReport(): Promise<PluginReport | null> {
    const { encoderSandbox: sandbox } = this.#options;
    return sandbox === undefined ? null : { name: sandbox.spec.name, fields: sandboxFields(await sandbox.report()) };
  }

  reopen(): Promise<void> {
    const { writer, onError } = this.#options;
    const reopened = this.#turns.run(() => writer.reopen?.());
    return reopened.catch((error: unknown) => onError(`could not be opened again: ${messageOf(error)}`));
  }

  closing(): void {
    this.#options.writer.closing?.();
  }

  hurry(): void {
    this.#options.writer.hurry?.();
  }

  async stop(): Promise<void> {
    await this.#turns.idle();
    const { onStop, writer, onError, onDropped, onLeft } = this.#options;
    await onStop?.();
    await writer.close().catch((error: unknown) => onError(messageOf(error)));
    if (this.#dropped > 0) onDropped?.(this.#dropped);
    if (this.#left > 0) onLeft?.(this.#left, this.#lost);
  }

  /** Encodes the rows and begins to write them. Returns the write in an object, so that awaiting the encoding does not await the write. */
  async #encode({ batch, rows, encoded: known, isPatient }: Selection, receipt?: Receipt): Promise<{ readonly written: Promise<void> }> {
    const messages = rows?.length ?? batch.length;
    if (this.#ended !== null) return { written: this.#leave(messages, this.#ended) };
    this.#messages += messages;
    const { writer, encoder } = this.#options;
    if (writer.writeBatch !== undefined) {
      return { written: writer.writeBatch(batch, rows, isPatient).catch((error: unknown) => this.#failed(error, messages)) };
    }
    try {
      const encoded = (this.#options.takesProtobuf === true ? known : undefined) ?? (await encoder(batch, rows));
      if (writer.writeEncoded !== undefined && !('rows' in encoded)) {
        const pieces = [...encoded] as Uint8Array[];
        return { written: this.#taken(writer.writeEncoded(batch, rows, pieces, receipt), pieces, messages) };
      }
      const { pieces, through } = ofMessages(encoded, rows, messages);
      return { written: this.#write(pieces, messages, receiptForPieces(receipt, through)) };
    } catch (error) {
      return { written: error instanceof EncoderEndedError ? this.#encoderEnded(error, messages, receipt) : this.#failed(error, messages) };
    }
  }

  async #write(pieces: Pieces, messages: number, receipt?: Receipt): Promise<void> {
    await this.#taken(this.#options.writer.write(pieces, receipt), pieces, messages);
  }

  /** Counts what a write has taken. The memory of the pieces may be used again when it has. */
  #taken(written: Promise<void>, pieces: Pieces, messages: number): Promise<void> {
    const size = sizeOf(pieces);
    return written.then(
      () => void (this.#bytes += size),
      (error: unknown) => this.#failed(error, messages),
    );
  }

  /** Writes what was encoded before the end. */
  async #encoderEnded({ end, message, pieces, done }: EncoderEndedError, messages: number, receipt?: Receipt): Promise<void> {
    if (this.#ended === null) this.#options.onEncoderEnd?.(end);
    this.#end(message);
    const through = (count: number): number => (count < pieces.length ? 0 : done);
    if (pieces.length > 0) await this.#write(pieces, done, receiptForPieces(receipt, through));
    await this.#leave(messages, message, done);
  }

  /** Handles a failed write. @throws {NotDeliveredError} for messages to be delivered again; all others are lost */
  async #failed(error: unknown, messages: number): Promise<void> {
    if (error instanceof NotDeliveredError) {
      if (!error.final) throw error;
      this.#end(error.message);
      return this.#leave(messages, error.message, error.done);
    }
    this.#failures += messages;
    this.#options.onError(`${messages} messages could not be written and are lost: ${messageOf(error)}`);
  }

  #end(reason: string): void {
    if (this.#ended !== null) return;
    this.#ended = reason;
    this.#options.onEnd?.(reason);
  }

  /** Leaves the messages of a batch from number `done` on. @throws {NotDeliveredError} when they are to be kept */
  async #leave(messages: number, reason: string, done = 0): Promise<void> {
    if (this.#options.keepsRest === true) throw new NotDeliveredError(reason, false, { done });
    this.#dropped += messages - done;
  }
}

function sizeOf(pieces: Pieces): number {
  if (pieces instanceof PackedPieces) return pieces.bytes.length;
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length), 0);
}
