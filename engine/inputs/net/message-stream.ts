import { FrameSplitter } from '../../message/protobuf/framing.ts';
import type { MessageOpener, SignedMessage } from '../framed.ts';

/** Takes the messages out of one stream of framed records, such as a connection. */
export class MessageStream {
  readonly #opener: MessageOpener;
  readonly #splitter: FrameSplitter;
  readonly #take: (message: SignedMessage) => void;
  readonly #fault: (what: string) => void;

  /** `fault` gets the problem of bytes that are no message. */
  constructor(opener: MessageOpener, take: (message: SignedMessage) => void, fault: (what: string) => void) {
    this.#opener = opener;
    this.#take = take;
    this.#fault = fault;
    const onSkip = (bytes: number): void => fault(`${bytes} bytes that are not a record`);
    this.#splitter = new FrameSplitter({ maxMessageSize: opener.maxMessageSize, onProblem: fault, onSkip });
  }

  /** Takes the next bytes, which must not be changed later. */
  push(chunk: Uint8Array): void {
    this.#open(this.#splitter.push(chunk));
  }

  /** Ends the stream. */
  end(): void {
    this.#open(this.#splitter.end());
  }

  #open(records: ReturnType<FrameSplitter['push']>): void {
    for (const record of records) {
      const opened = this.#opener.open(record);
      if (typeof opened === 'string') this.#fault(opened);
      else this.#take(opened);
    }
  }
}
