import { gunzipSync } from 'node:zlib';
import { inflated, isZlib } from './zlib.ts';

/** Numbers at the start of a chunk, then its id of 8 bytes, its place and the number of chunks. */
const CHUNK = [0x1e, 0x0f] as const;
const HEAD_BYTES = 12;
const ID_END = 10;
const MOST_CHUNKS = 128;
/** Milliseconds for which the rest of a message may come. */
const PATIENCE_MS = 5000;
/** Bytes of chunks that wait for others; of more, the oldest message is given up. */
const MOST_BYTES = 16 << 20;
/** Bytes that a message or a chunk takes beside its content. */
const OVERHEAD = 512;
/** Bytes of a message, unpacked. */
const MOST_MESSAGE_BYTES = 8 << 20;

/** A message of which chunks are missing. */
interface Unfinished {
  readonly chunks: (Buffer | undefined)[];
  readonly since: number;
  missing: number;
  bytes: number;
}

/** A datagram that is no message and no chunk of one. */
export class GelfError extends Error {
  override readonly name = 'GelfError';
}

/** Makes messages of datagrams of GELF: puts chunks together, which come in any order, and unpacks gzip and zlib. */
export class GelfDatagrams {
  readonly #now: () => number;
  /** By sender and id, the oldest first. */
  readonly #unfinished = new Map<string, Unfinished>();
  #bytes = 0;
  #lost = 0;

  /** @param now milliseconds of a clock that does not jump */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Messages of which a chunk did not come. */
  get lost(): number {
    return this.#lost;
  }

  /** Bytes that wait for others. */
  get waitingBytes(): number {
    return this.#bytes;
  }

  /**
   * The message that a datagram is or completes; null: others are missing. Its bytes may be those of the datagram.
   * @throws {GelfError} for a datagram that is neither
   */
  take(datagram: Buffer, host: string): Buffer | null {
    if (datagram[0] !== CHUNK[0] || datagram[1] !== CHUNK[1]) return unpacked(datagram);
    const whole = this.#gather(datagram, host);
    return whole === null ? null : unpacked(whole);
  }

  /** Gives up what is unfinished. */
  end(): void {
    for (const key of this.#unfinished.keys()) this.#giveUp(key);
  }

  #gather(datagram: Buffer, host: string): Buffer | null {
    const { [ID_END]: place = 0, [ID_END + 1]: count = 0 } = datagram;
    if (datagram.length <= HEAD_BYTES || count === 0 || count > MOST_CHUNKS || place >= count)
      throw new GelfError(`chunk ${place} of ${count} with ${datagram.length} bytes`);
    this.#expire();
    const key = `${host} ${datagram.toString('latin1', CHUNK.length, ID_END)}`;
    const message = this.#messageOf(key, count);
    if (message.chunks.length !== count) throw new GelfError(`a chunk of ${count} of a message that has ${message.chunks.length}`);
    if (message.chunks[place] !== undefined) return null;
    const content = Buffer.from(datagram.subarray(HEAD_BYTES));
    message.chunks[place] = content;
    this.#hold(message, content.length + OVERHEAD);
    if (--message.missing > 0) {
      this.#bound();
      return null;
    }
    this.#forget(key, message);
    return Buffer.concat(message.chunks as Buffer[]);
  }

  #messageOf(key: string, count: number): Unfinished {
    const known = this.#unfinished.get(key);
    if (known !== undefined) return known;
    const made: Unfinished = { chunks: Array.from({ length: count }), since: this.#now(), missing: count, bytes: 0 };
    this.#unfinished.set(key, made);
    this.#hold(made, OVERHEAD + 8 * count);
    return made;
  }

  #hold(message: Unfinished, bytes: number): void {
    message.bytes += bytes;
    this.#bytes += bytes;
  }

  #expire(): void {
    const oldest = this.#now() - PATIENCE_MS;
    for (const [key, { since }] of this.#unfinished) {
      if (since >= oldest) return;
      this.#giveUp(key);
    }
  }

  #bound(): void {
    for (const key of this.#unfinished.keys()) {
      if (this.#bytes <= MOST_BYTES) return;
      this.#giveUp(key);
    }
  }

  #giveUp(key: string): void {
    const message = this.#unfinished.get(key);
    if (message === undefined) return;
    this.#forget(key, message);
    this.#lost++;
  }

  #forget(key: string, { bytes }: Unfinished): void {
    this.#unfinished.delete(key);
    this.#bytes -= bytes;
  }
}

function unpacked(bytes: Buffer): Buffer {
  const [first = 0, second = 0] = bytes;
  try {
    // JSON begins with neither.
    if (first === 0x1f && second === 0x8b) return gunzipSync(bytes, { maxOutputLength: MOST_MESSAGE_BYTES });
    if (isZlib(bytes)) return inflated(bytes, MOST_MESSAGE_BYTES);
  } catch (error) {
    throw new GelfError('a message that cannot be unpacked', { cause: error });
  }
  return bytes;
}
