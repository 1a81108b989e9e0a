import { messageOf } from '../errors.ts';
import { NotDeliveredError } from '../outputs/delivery.ts';
import type { MessageBatch } from '../message/batch.ts';
import type { AnyBatchEncoder } from '../outputs/encode.ts';
import type { Writer } from '../outputs/writers.ts';
import type { Sandbox } from '../sandbox/types.ts';
import { Serial } from '../serial.ts';
import type { Consumer } from './consumer.ts';
import { count, runnerFields, sandboxFields, type PluginReport } from './plugin-report.ts';
import { Subscription, type Selection, type Selector } from './selection.ts';

export interface OutputOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Name of the signer whose messages alone are taken. */
  readonly signer?: string;
  readonly encoder: AnyBatchEncoder;
  /** The encoder's sandbox, if it is a script. */
  readonly encoderSandbox?: Sandbox;
  readonly writer: Writer;
  /** Called when a batch could not be written and is lost. */
  readonly onError: (text: string) => void;
  /** Called when it has ended by itself, after its last attempt. */
  readonly onEnd?: (reason: string) => void;
  /** Called when the last batch is written. */
  readonly onStop?: () => Promise<void>;
}

/** Runs an output: encodes the messages that it wants and writes them, in order. */
export class OutputRunner implements Consumer {
  readonly name: string;
  readonly subscription: Subscription;
  readonly #options: OutputOptions;
  #pending = 0;
  #messages = 0;
  #failures = 0;
  #ended = false;
  readonly #turns = new Serial();

  constructor(options: OutputOptions) {
    this.name = options.name;
    this.subscription = new Subscription(options);
    this.#options = options;
  }

  get pending(): number {
    return this.#pending;
  }

  submit({ batch, rows }: Selection): Promise<void> {
    this.#pending++;
    const turn = this.#turns.run(async () => {
      const encoded = await this.#encode(batch, rows);
      if (this.#options.writer.overlaps !== true) await encoded.written;
      return encoded;
    });
    return turn.then(({ written }) => written).finally(() => this.#pending--);
  }

  async report(capacity: number): Promise<PluginReport> {
    const fields = {
      ...runnerFields(this.#pending, capacity, this.subscription),
      ProcessMessageCount: count(this.#messages),
      ProcessMessageFailures: count(this.#failures),
      ...Object.fromEntries(Object.entries(this.#options.writer.figures ?? {}).map(([figure, value]) => [figure, count(value)] as const)),
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

  async stop(): Promise<void> {
    await this.#turns.idle();
    await this.#options.onStop?.();
    await this.#options.writer.close().catch((error: unknown) => this.#options.onError(messageOf(error)));
  }

  /** Encodes the rows and begins to write them. Returns the write in an object, so that awaiting the encoding does not await the write. */
  async #encode(batch: MessageBatch, rows: Uint32Array | null): Promise<{ readonly written: Promise<void> }> {
    const { encoder, writer } = this.#options;
    const messages = rows?.length ?? batch.length;
    this.#messages += messages;
    try {
      const pieces = [...(await encoder(batch, rows))];
      return { written: writer.write(pieces).catch((error: unknown) => this.#failed(error, messages)) };
    } catch (error) {
      return { written: this.#failed(error, messages) };
    }
  }

  /** Handles a failed write. @throws {NotDeliveredError} for messages to be delivered again; all others are lost */
  async #failed(error: unknown, messages: number): Promise<void> {
    const { onError, onEnd } = this.#options;
    if (error instanceof NotDeliveredError) {
      if (error.final && !this.#ended) {
        this.#ended = true;
        onEnd?.(error.message);
      }
      throw error;
    }
    this.#failures += messages;
    onError(`messages could not be written: ${messageOf(error)}`);
  }
}
