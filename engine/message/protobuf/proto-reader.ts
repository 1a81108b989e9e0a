/** Protocol Buffers wire types (encoding reference, "Message Structure"). */
export const WireType = { VARINT: 0, FIXED64: 1, LENGTH: 2, GROUP_START: 3, GROUP_END: 4, FIXED32: 5 } as const;

/** Bytes that are no message. Says where, and at which field. */
export class MessageDecodeError extends Error {
  override readonly name = 'MessageDecodeError';
  /** Number of the field, 0 outside of fields. */
  readonly tag: number;
  readonly wireType: number;
  /** Bytes from the start of the message. */
  readonly offset: number;

  constructor(what: string, tag: number, wireType: number, offset: number) {
    super(tag === 0 ? `${what} at byte ${offset}` : `${what} (tag ${tag}, wire type ${wireType}, at byte ${offset})`);
    this.tag = tag;
    this.wireType = wireType;
    this.offset = offset;
  }
}

/** Makes the text of the bytes [start, end); invalid UTF-8 becomes U+FFFD. */
export type TextReader = (bytes: Uint8Array, start: number, end: number) => string;

const words = new Uint32Array(2);
const asInt64 = new BigInt64Array(words.buffer);
const asDouble = new Float64Array(words.buffer);
const asBytes = new Uint8Array(words.buffer);

/** Up to this many bytes a loop copies faster than a call. */
const SHORT = 64;

/** Limits on valid encodings that no usual writer produces. */
export interface ReaderLimits {
  /** Bytes of a field's key or of a length. */
  readonly keyBytes: number;
  /** Bytes of a varint that is skipped. */
  readonly unknownVarintBytes: number;
  /** Groups that an unknown field may stand in. */
  readonly groups: number;
}

/** Bytes that a varint of 64 bits takes. */
const VARINT_BYTES = 10;
const TRUNCATED = 'truncated varint';
const TOO_LONG = `varint longer than ${VARINT_BYTES} bytes`;
const LIMITS: ReaderLimits = { keyBytes: VARINT_BYTES, unknownVarintBytes: VARINT_BYTES, groups: 32 };

/** Reads one message's bytes from front to back. Uses nothing of Node: the same code runs in an isolate. */
export class ProtoReader {
  readonly #bytes: Uint8Array;
  readonly #text: TextReader;
  readonly #limits: ReaderLimits;
  /** The place of the next byte. */
  #at = 0;
  /** End of the message or of the embedded one that is being read. */
  #end: number;
  /** The field being read, for errors. */
  tag = 0;
  wireType = 0;
  #tagAt = 0;

  constructor(bytes: Uint8Array, text: TextReader, limits: ReaderLimits = LIMITS) {
    this.#bytes = bytes;
    this.#end = bytes.length;
    this.#text = text;
    this.#limits = limits;
  }

  get offset(): number {
    return this.#at;
  }

  /** Moves on to the next field; false at the end. */
  next(): boolean {
    if (this.#at >= this.#end) {
      this.tag = 0;
      return false;
    }
    this.#tagAt = this.#at;
    this.tag = 0;
    const key = this.#varint32(true);
    this.tag = key >>> 3;
    this.wireType = key & 7;
    if (this.tag === 0) throw this.error('field number 0');
    return true;
  }

  /** Offset of the field that is being read. */
  get tagOffset(): number {
    return this.#tagAt;
  }

  error(what: string): MessageDecodeError {
    return new MessageDecodeError(what, this.tag, this.wireType, this.#tagAt);
  }

  /** The low 32 bits of a varint, signed. */
  int32(): number {
    return this.#varint32(false);
  }

  int64(): bigint {
    this.#varint64();
    return asInt64[0] as bigint;
  }

  bool(): boolean {
    this.#varint64();
    return words[0] !== 0 || words[1] !== 0;
  }

  double(): number {
    const at = this.#at;
    if (at + 8 > this.#end) throw this.error('truncated value');
    for (let i = 0; i < 8; i++) asBytes[i] = this.#bytes[at + i] as number;
    this.#at = at + 8;
    return asDouble[0] as number;
  }

  text(): string {
    const end = this.#stretch();
    const start = this.#at;
    this.#at = end;
    return this.#text(this.#bytes, start, end);
  }

  /** A copy of the bytes. */
  bytes(): Uint8Array {
    const end = this.#stretch();
    const copy = new Uint8Array(end - this.#at);
    if (copy.length <= SHORT) for (let i = 0; i < copy.length; i++) copy[i] = this.#bytes[this.#at + i] as number;
    else copy.set(this.#bytes.subarray(this.#at, end));
    this.#at = end;
    return copy;
  }

  /** Enters an embedded message or packed list. Returns the end to give to `leave`. */
  enter(): number {
    const outer = this.#end;
    this.#end = this.#stretch();
    return outer;
  }

  /** Whether the embedded message or list has more. */
  get more(): boolean {
    return this.#at < this.#end;
  }

  leave(outer: number): void {
    this.#end = outer;
  }

  /** Skips the value of the current field, whatever it is. */
  skip(depth = 0): void {
    if (depth > this.#limits.groups) throw this.error('groups nested too deep');
    switch (this.wireType) {
      case WireType.VARINT:
        this.#skipVarint();
        return;
      case WireType.FIXED64:
        this.#advance(8);
        return;
      case WireType.LENGTH:
        this.#at = this.#stretch();
        return;
      case WireType.GROUP_START:
        this.#skipGroup(depth);
        return;
      case WireType.FIXED32:
        this.#advance(4);
        return;
      default:
        throw this.error('unknown wire type');
    }
  }

  #skipGroup(depth: number): void {
    const group = this.tag;
    while (this.next()) {
      if (this.wireType === WireType.GROUP_END) {
        if (this.tag !== group) throw this.error('end of another group');
        return;
      }
      this.skip(depth + 1);
    }
    throw this.error('group without an end');
  }

  #skipVarint(): void {
    const end = Math.min(this.#end, this.#at + this.#limits.unknownVarintBytes);
    while (this.#at < end) if ((this.#bytes[this.#at++] as number) < 0x80) return;
    throw this.error(this.#at < this.#end ? TOO_LONG : TRUNCATED);
  }

  #advance(count: number): void {
    if (this.#at + count > this.#end) throw this.error('truncated value');
    this.#at += count;
  }

  /** Reads a length and returns where that many bytes end. */
  #stretch(): number {
    const length = this.#varint32(true) >>> 0;
    const end = this.#at + length;
    if (end > this.#end) throw this.error('truncated length');
    return end;
  }

  /** With `narrow`, as in keys and lengths, a value above 32 bits is an error; otherwise its upper bits are dropped. */
  #varint32(narrow: boolean): number {
    const first = this.#bytes[this.#at] as number;
    if (first < 0x80 && this.#at < this.#end) {
      this.#at++;
      return first;
    }
    const start = this.#at;
    this.#varint64();
    if (narrow && (words[1] !== 0 || this.#at - start > this.#limits.keyBytes)) throw this.error('number too large');
    return (words[0] as number) | 0;
  }

  /** Leaves the value in `words`. */
  #varint64(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 7 * VARINT_BYTES; shift += 7) {
      if (this.#at >= this.#end) throw this.error(TRUNCATED);
      const byte = this.#bytes[this.#at++] as number;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high |= bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        words[0] = low;
        words[1] = high;
        return;
      }
    }
    throw this.error(TOO_LONG);
  }
}
