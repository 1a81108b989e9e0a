import { GUARD_BYTES } from './position-hash.ts';
import { cutPieces, type Piece } from './pieces.ts';
import type { TextForm } from './text.ts';
import { initialState, type CutState, type Outlook, type Splitter } from './splitter.ts';

/** A piece of a stream. */
export interface StreamPiece {
  readonly piece: Piece;
  /** Bytes of the stream that are used up behind this piece. */
  readonly position: number;
  /** A copy of the bytes before that position, at most `GUARD_BYTES`. */
  readonly guard: Buffer;
  /** The state behind this piece. */
  readonly state: CutState;
}

/** Cuts a stream of bytes into records. Keeps the record that has no end yet, and the bytes before it. */
export class RecordStream {
  readonly #splitter: Splitter;
  readonly #state: CutState;
  readonly #form: TextForm;
  #buffer: Buffer = Buffer.allocUnsafeSlow(64 << 10);
  /** In the buffer, [0, #from) is used up and [#from, #length) waits. */
  #from = 0;
  #length = 0;
  #position = 0;

  /** `state` continues an earlier stream, after `skip`. */
  constructor(splitter: Splitter, state: CutState = initialState(), form: TextForm = 'bytes') {
    this.#splitter = splitter;
    this.#state = { ...state };
    this.#form = form;
  }

  /** A copy of the bytes before the position, at most `GUARD_BYTES`. */
  get guard(): Buffer {
    return Buffer.from(this.#buffer.subarray(Math.max(0, this.#from - GUARD_BYTES), this.#from));
  }

  /** Goes past bytes that were cut earlier. */
  skip(chunk: Uint8Array): void {
    this.#append(chunk);
    this.#position += chunk.length;
    this.#from = this.#length;
    this.#compact();
  }

  /** Takes the next bytes (copying them). Take all pieces before the next call. */
  *push(chunk: Uint8Array, outlook: Outlook): Generator<StreamPiece> {
    this.#append(chunk);
    const bytes = this.#buffer.subarray(0, this.#length);
    for (const piece of cutPieces(this.#splitter, bytes, this.#from, outlook, this.#state, this.#form)) {
      this.#position += piece.consumed - this.#from;
      this.#from = piece.consumed;
      yield { piece, position: this.#position, guard: this.guard, state: { ...this.#state } };
    }
    this.#compact();
  }

  #compact(): void {
    const start = Math.max(0, this.#from - GUARD_BYTES);
    this.#buffer.copyWithin(0, start, this.#length);
    this.#from -= start;
    this.#length -= start;
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, Math.min(this.#buffer.length * 2, length + (16 << 20))));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#length);
    this.#length = length;
  }
}
