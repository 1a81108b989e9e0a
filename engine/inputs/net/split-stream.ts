import { RecordStream } from '../record-stream.ts';
import type { Splitter } from '../splitter.ts';
import { Records, type TakeRecords } from './records.ts';

/**
 * Cuts one stream, such as a connection, by a splitter. A delimiter at the end of the received bytes is taken as it is, for the sender may be
 * silent for long.
 */
export class SplitStream {
  readonly #stream: RecordStream;
  readonly #record = new Records();
  readonly #take: TakeRecords;
  readonly #fault: (fault: 'truncated') => void;

  constructor(splitter: Splitter, take: TakeRecords, fault: (fault: 'truncated') => void) {
    this.#stream = new RecordStream(splitter);
    this.#take = take;
    this.#fault = fault;
  }

  push(chunk: Uint8Array): void {
    this.#cut(chunk, 'pause');
  }

  /** Ends the stream: the beginning of a last record counts as a record. */
  end(): void {
    this.#cut(new Uint8Array(0), 'end');
  }

  #cut(chunk: Uint8Array, outlook: 'pause' | 'end'): void {
    for (const { piece } of this.#stream.push(chunk, outlook)) {
      if (piece.truncated) this.#fault('truncated');
      const { text, starts, ends } = piece.payload;
      for (let i = 0; i < piece.count; i++) {
        const bytes = Buffer.from(text.slice(starts[i], ends[i]));
        if (bytes.length > 0) this.#give(bytes);
      }
    }
  }

  #give(bytes: Buffer): void {
    this.#record.add(0, bytes.length);
    this.#take(bytes, this.#record);
    this.#record.clear();
  }
}
