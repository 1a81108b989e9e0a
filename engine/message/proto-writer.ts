/** Writes a text as UTF-8 from `at` on and returns the place behind it; there is room for 3 bytes a code unit. */
export interface TextWriter {
  write(text: string, target: Uint8Array, at: number): number;
  length(text: string): number;
}

const words = new Uint32Array(2);
const asInt64 = new BigInt64Array(words.buffer);
const asDouble = new Float64Array(words.buffer);
const asBytes = new Uint8Array(words.buffer);

/** Bytes that a varint of 64 bits, or a tag and a double, takes at most. */
const MAX_SCALAR = 10;

/** Writes one message into a buffer that grows and is used again. Uses nothing of Node: the same code runs in an isolate. */
export class ProtoWriter {
  readonly #text: TextWriter;
  #bytes = new Uint8Array(1024);
  #at = 0;

  constructor(text: TextWriter) {
    this.#text = text;
  }

  /** Forgets everything written. */
  reset(): void {
    this.#at = 0;
    // One huge message should not hold its memory for ever.
    if (this.#bytes.length > KEEP) this.#bytes = new Uint8Array(1024);
  }

  /** A copy of what was written. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#at);
  }

  /** One byte: a key (field number << 3 | wire type) below 128. */
  key(key: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = key;
  }

  /** An int32 or enum; negative ones are extended to 64 bits. */
  int32(value: number): void {
    this.#varint(value, value < 0 ? 0xffff_ffff : 0);
  }

  /** An int64; what does not fit wraps around. */
  int64(value: bigint): void {
    asInt64[0] = value;
    this.#varint(words[0] as number, words[1] as number);
  }

  bool(value: boolean): void {
    this.key(value ? 1 : 0);
  }

  double(value: number): void {
    this.#reserve(8);
    asDouble[0] = value;
    for (let i = 0; i < 8; i++) this.#bytes[this.#at++] = asBytes[i] as number;
  }

  /** Length and bytes of a text. */
  text(text: string): void {
    if (text.length * 3 < 0x80) {
      this.#reserve(0x80);
      const start = this.#at + 1;
      const end = this.#text.write(text, this.#bytes, start);
      this.#bytes[this.#at] = end - start;
      this.#at = end;
      return;
    }
    const length = this.#text.length(text);
    this.#varint(length, 0);
    this.#reserve(text.length * 3);
    this.#at = this.#text.write(text, this.#bytes, this.#at);
  }

  /** Length and bytes. */
  bytes(bytes: Uint8Array): void {
    this.#varint(bytes.length, 0);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Begins an embedded message or packed list. Returns what `close` wants. */
  open(): number {
    this.#reserve(1);
    return this.#at++;
  }

  /** Ends it and writes its length in front of it; mostly one byte, for which the place was left. */
  close(opened: number): void {
    const start = opened + 1;
    const length = this.#at - start;
    let more = 0;
    for (let rest = length >>> 7; rest > 0; rest >>>= 7) more++;
    if (more > 0) {
      this.#reserve(more);
      this.#bytes.copyWithin(start + more, start, this.#at);
    }
    this.#at = opened;
    this.#varint(length, 0);
    this.#at += length;
  }

  #varint(low: number, high: number): void {
    this.#reserve(MAX_SCALAR);
    low >>>= 0;
    high >>>= 0;
    while (high > 0 || low > 0x7f) {
      this.#bytes[this.#at++] = (low & 0x7f) | 0x80;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.#bytes[this.#at++] = low;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
  }
}

const KEEP = 1_048_576;
