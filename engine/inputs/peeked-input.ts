import { textAt } from '../message/batch/batch.ts';
import type { EndingInput, InputBatch, InputEnd, InputSink, InputStats } from './types.ts';

/** Milliseconds that the first records wait for others. */
const HEAD_MS = 400;
/** Number of first records, or of characters in them, that is enough. */
const HEAD_RECORDS = 50;
const HEAD_LENGTH = 32 << 10;

/**
 * Holds the first records of an input until there are some (errors of a command are none), passes their text to `onHead`, and delivers them after that, so that
 * a live source can be recognised by its records.
 */
export class PeekedInput implements EndingInput {
  readonly name: string;
  readonly #input: EndingInput;
  readonly #onHead: (text: string) => Promise<void>;
  #sink: InputSink | null = null;
  /** Null once they are delivered. */
  #held: InputBatch[] | null = [];
  #text = '';
  #records = 0;
  #timer: NodeJS.Timeout | null = null;
  #release: Promise<void> | null = null;

  /** @param onHead gets the first records as lines; its errors are ignored */
  constructor(input: EndingInput, onHead: (text: string) => Promise<void>) {
    this.name = input.name;
    this.#input = input;
    this.#onHead = onHead;
  }

  get ended(): Promise<InputEnd> {
    return this.#input.ended.then(async (end) => {
      await this.#release;
      return end;
    });
  }

  async start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    await this.#input.start({
      deliver: (batch) => this.#deliver(batch, sink),
      notice: (notice) => sink.notice(notice),
      idle: () => void this.#idle(sink),
    });
    void this.#input.ended.then(() => this.#open());
  }

  async stop(): Promise<void> {
    await this.#input.stop();
    await this.#open();
  }

  stats(): InputStats {
    return this.#input.stats();
  }

  figures(): Readonly<Record<string, number>> {
    return this.#input.figures?.() ?? {};
  }

  async #deliver(batch: InputBatch, sink: InputSink): Promise<void> {
    if (batch.isStderr === true && this.#records === 0) return sink.deliver(batch);
    if (this.#release !== null || this.#held === null) {
      await this.#release;
      await sink.deliver(batch);
      return;
    }
    this.#held.push(batch);
    this.#note(batch);
    this.#timer ??= setTimeout(() => void this.#open(), HEAD_MS);
    if (this.#records >= HEAD_RECORDS || this.#text.length >= HEAD_LENGTH) await this.#open();
  }

  #note({ batch, isStderr }: InputBatch): void {
    if (isStderr === true) return;
    for (let row = 0; row < batch.length && this.#text.length < HEAD_LENGTH; row++) {
      this.#text += `${textAt(batch.payload, row) ?? ''}\n`;
      this.#records++;
    }
  }

  async #idle(sink: InputSink): Promise<void> {
    if (this.#held !== null && this.#held.length > 0) await this.#open();
    sink.idle();
  }

  /** Delivers the held records, once. `onHead` is not called when there are none. */
  #open(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#release === null && this.#held !== null && this.#held.length > 0) this.#release = this.#handOn(this.#held);
    return this.#release ?? Promise.resolve();
  }

  async #handOn(held: readonly InputBatch[]): Promise<void> {
    await this.#onHead(this.#text).catch(() => undefined);
    this.#text = '';
    for (const batch of held) await this.#sink?.deliver(batch).catch(() => undefined);
    this.#held = null;
  }
}
