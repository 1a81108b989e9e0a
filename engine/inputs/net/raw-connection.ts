import type { MessageBatch } from '../../message/batch.ts';
import { joinTexts } from '../text.ts';
import { recordBatch, type RecordHeaders } from '../pieces.ts';
import type { InputSink } from '../types.ts';

/** The flow control of a connection. */
interface Pausable {
  pause(): unknown;
  resume(): unknown;
}

/** Hands over what comes over a connection as it comes: one character for each byte. While that is not taken, nothing more is read. */
export class RawConnection {
  readonly #sink: InputSink;
  readonly #socket: Pausable;
  readonly #headers: RecordHeaders;
  #open = 0;
  #failed = false;

  constructor(sink: InputSink, socket: Pausable, headers: RecordHeaders) {
    this.#sink = sink;
    this.#socket = socket;
    this.#headers = headers;
  }

  push(chunk: Buffer): void {
    if (this.#failed) return;
    const batch: MessageBatch = recordBatch(joinTexts([chunk.toString('latin1')]), this.#headers);
    this.#open++;
    this.#socket.pause();
    const taken = this.#sink.deliver({ batch, firstLine: 0, stream: this, acknowledge: () => undefined });
    taken.then(
      () => this.#taken(),
      // Nobody takes anything any more, and that was said where it happened.
      () => (this.#failed = true),
    );
  }

  /** Nothing more comes. */
  end(): void {
    this.#sink.ended?.(this);
  }

  #taken(): void {
    this.#open--;
    if (this.#open === 0) this.#socket.resume();
  }
}
