import type { MessageBatch } from '../../message/batch/batch.ts';
import { joinTexts } from '../text.ts';
import { recordBatch, type RecordHeaders } from '../pieces.ts';
import type { InputSink } from '../types.ts';

/** The flow control of a connection. */
interface Pausable {
  pause(): unknown;
  resume(): unknown;
}

/** Delivers the data of a connection as it comes, one character for each byte. Reads nothing more until the sink has taken it. */
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
      // The sink takes no more data, and has reported why.
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
