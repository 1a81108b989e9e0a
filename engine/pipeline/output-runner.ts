import { messageOf } from '../errors.ts';
import type { MessageBatch } from '../message/batch.ts';
import type { AnyBatchEncoder } from '../outputs/encode.ts';
import type { Writer } from '../outputs/writers.ts';
import type { Sandbox } from '../sandbox/types.ts';
import type { Consumer, Selector } from './consumer.ts';
import { count, runnerFields, sandboxFields, Stopwatch, type PluginReport } from './plugin-report.ts';

export interface OutputOptions {
  readonly name: string;
  readonly matcher: Selector;
  /** Only messages that are signed by this name. */
  readonly signer?: string;
  readonly encoder: AnyBatchEncoder;
  /** The script that encodes, if one does. */
  readonly encoderSandbox?: Sandbox;
  readonly writer: Writer;
  /** A batch could not be written; it is lost. */
  readonly onError: (text: string) => void;
  /** Called when the last batch is written. */
  readonly onStop?: () => Promise<void>;
}

/** Runs an output: encodes the messages that its matcher selects and writes them, in order. */
export class OutputRunner implements Consumer {
  readonly name: string;
  readonly #options: OutputOptions;
  readonly #match = new Stopwatch();
  #pending = 0;
  #messages = 0;
  #failures = 0;
  #tail: Promise<void> = Promise.resolve();

  constructor(options: OutputOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pending(): number {
    return this.#pending;
  }

  submit(batch: MessageBatch, _loop = 0, signer = ''): Promise<void> {
    const { matcher, signer: wanted } = this.#options;
    if (wanted !== undefined && wanted !== signer) return Promise.resolve();
    const rows = this.#match.measure(() => matcher.select(batch), batch.length);
    if (rows?.length === 0) return Promise.resolve();
    this.#pending++;
    this.#tail = this.#tail.then(() => this.#writeRows(batch, rows)).finally(() => this.#pending--);
    return this.#tail;
  }

  idle(): void {
    // Nothing is held back here.
  }

  async report(capacity: number): Promise<PluginReport> {
    const fields = {
      ...runnerFields(this.#pending, capacity, this.#match),
      ProcessMessageCount: count(this.#messages),
      ProcessMessageFailures: count(this.#failures),
    };
    return { name: this.name, fields };
  }

  async encoderReport(): Promise<PluginReport | null> {
    const { encoderSandbox: sandbox } = this.#options;
    return sandbox === undefined ? null : { name: sandbox.spec.name, fields: sandboxFields(await sandbox.report()) };
  }

  reopen(): Promise<void> {
    const { writer, onError } = this.#options;
    const reopened = this.#tail
      .then(() => writer.reopen?.())
      .catch((error: unknown) => onError(`could not be opened again: ${messageOf(error)}`));
    this.#tail = reopened;
    return reopened;
  }

  async stop(): Promise<void> {
    await this.#tail;
    await this.#options.onStop?.();
    await this.#options.writer.close().catch((error: unknown) => this.#options.onError(messageOf(error)));
  }

  async #writeRows(batch: MessageBatch, rows: Uint32Array | null): Promise<void> {
    const { encoder, writer, onError } = this.#options;
    const messages = rows?.length ?? batch.length;
    this.#messages += messages;
    try {
      await writer.write([...(await encoder(batch, rows))]);
    } catch (error) {
      this.#failures += messages;
      onError(`messages could not be written: ${messageOf(error)}`);
    }
  }
}
