import { withConstantFields } from '../decorate.ts';
import { joinTexts } from '../text.ts';
import { recordBatch, type RecordHeaders } from '../pieces.ts';
import type { InputSink } from '../types.ts';
import { REMOTE_PORT } from './address.ts';

/** The flow control of a connection. */
export interface Pausable {
  pause(): unknown;
  resume(): unknown;
}

/** Delivers the data of a connection as it comes, one character for each byte. Reads nothing more until the sink has taken it. */
export class RawConnection {
  readonly #sink: InputSink;
  readonly #socket: Pausable;
  readonly #headers: RecordHeaders;
  readonly #port: number;
  #open = 0;
  #failed = false;

  /** @param port of the sender, which the records get as a field */
  constructor(sink: InputSink, socket: Pausable, headers: RecordHeaders, port: number) {
    this.#sink = sink;
    this.#socket = socket;
    this.#headers = headers;
    this.#port = port;
  }

  push(chunk: Buffer): void {
    if (this.#failed) return;
    const batch = withConstantFields(recordBatch(joinTexts([chunk.toString('latin1')]), this.#headers), { [REMOTE_PORT]: this.#port });
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
