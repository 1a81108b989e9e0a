/** A Parquet file that is cut or damaged, or not written by us. */
export class ParquetError extends Error {
  override readonly name = 'ParquetError';
}

/** Reads bytes one after the other; none that are not there. */
export class ByteReader {
  readonly bytes: Buffer;
  at = 0;
  /** Entries of lists that were read. */
  listed = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Goes on behind so many bytes. @returns where they begin */
  skip(count: number): number {
    const from = this.at;
    if (!(count >= 0 && from + count <= this.bytes.length)) throw new ParquetError('it ends within a value');
    this.at += count;
    return from;
  }

  byte(): number {
    return this.bytes[this.skip(1)] as number;
  }

  word(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  take(count: number): Buffer {
    const from = this.skip(count);
    return this.bytes.subarray(from, this.at);
  }

  /** A variable-length integer (ULEB128) below 2^53. */
  varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 49; factor *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw new ParquetError('a number is too large');
  }
}

/** Bytes that the pages of a file may take in memory. */
const MOST_BYTES = 2 ** 31;

/** Limits for reading a file: a page of a few bytes can say that it has a gigabyte. */
export class MemoryBudget {
  #left: number;

  constructor(bytes = MOST_BYTES) {
    this.#left = bytes;
  }

  /** @throws {ParquetError} when it is more than is left */
  take(bytes: number): void {
    this.#left -= bytes;
    if (!(this.#left >= 0)) throw new ParquetError('it takes too much memory: it has more in it than files that Sluicebox writes');
  }
}
