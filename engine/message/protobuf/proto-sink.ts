import { isStringOneByteRepresentation } from 'node:v8';
import { MAX_VARINT_BYTES, varintSize, writeVarint } from './varint.ts';

/** A text that values are pieces of, with its units of one byte where all fit into one. */
export interface ProtoText {
  readonly text: string;
  readonly bytes: Buffer | null;
  readonly view: DataView;
}

const NO_VIEW = new DataView(new ArrayBuffer(0));

export function protoText(text: string): ProtoText {
  if (!isStringOneByteRepresentation(text)) return { text, bytes: null, view: NO_VIEW };
  const bytes = Buffer.from(text, 'latin1');
  return { text, bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
}

const HIGHEST_BITS = 0x80808080;
/** Up to this many bytes a loop copies faster than a call. */
const SHORT = 32;

/** Bytes of protobuf that grow at their end. */
export class ProtoSink {
  #bytes: Buffer;
  #view: DataView;
  #at = 0;

  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(capacity, MAX_VARINT_BYTES));
    this.#view = new DataView(this.#bytes.buffer);
  }

  get length(): number {
    return this.#at;
  }

  /** Drops what was written behind a place, which may be further on: the bytes up to it are then to be written by `put`. */
  set length(length: number) {
    if (length > this.#at) this.#reserve(length - this.#at);
    this.#at = length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** Moves the bytes from a place on to another place. */
  move(from: number, to: number): void {
    const end = this.#at;
    this.length = end + to - from;
    this.#bytes.copyWithin(to, from, end);
  }

  put(at: number, byte: number): void {
    this.#bytes[at] = byte;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = byte;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    if (bytes.length > SHORT) this.#bytes.set(bytes, this.#at);
    else for (let i = 0; i < bytes.length; i++) this.#bytes[this.#at + i] = bytes[i] as number;
    this.#at += bytes.length;
  }

  /** An int32; negative ones are extended to 64 bits. */
  int32(value: number): void {
    this.varint(value, value < 0 ? -1 : 0);
  }

  /** A varint of 64 bits, by its halves. */
  varint(low: number, high: number): void {
    this.#reserve(MAX_VARINT_BYTES);
    this.#at = writeVarint(this.#bytes, this.#at, low, high);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Length and bytes of the piece [start, end) of a text. */
  text(source: ProtoText, start: number, end: number): void {
    if (source.bytes === null || !this.#ascii(source.bytes, source.view, start, end)) this.#utf8(source.text.slice(start, end));
  }

  /** Writes a piece if it is ASCII. */
  #ascii(units: Buffer, view: DataView, start: number, end: number): boolean {
    const begin = this.#at;
    this.varint(end - start, 0);
    this.#reserve(end - start);
    const bytes = this.#bytes;
    const target = this.#view;
    let seen = 0;
    let at = this.#at;
    let i = start;
    for (; i + 4 <= end; i += 4, at += 4) {
      const four = view.getInt32(i);
      seen |= four;
      target.setInt32(at, four);
    }
    for (; i < end; i++) {
      const unit = units[i] as number;
      seen |= unit;
      bytes[at++] = unit;
    }
    const isAscii = (seen & HIGHEST_BITS) === 0;
    this.#at = isAscii ? at : begin;
    return isAscii;
  }

  #utf8(text: string): void {
    const length = Buffer.byteLength(text);
    this.varint(length, 0);
    this.#reserve(length);
    this.#bytes.write(text, this.#at);
    this.#at += length;
  }

  /** Begins an embedded message or packed list. Returns the argument for `close`. */
  open(): number {
    this.#reserve(1);
    return this.#at++;
  }

  /** Ends it and writes its length in front of it; mostly one byte, for which `open` left space. */
  close(opened: number): void {
    const length = this.#at - opened - 1;
    const more = varintSize(length) - 1;
    if (more > 0) this.move(opened + 1, opened + 1 + more);
    const end = this.#at;
    this.#at = opened;
    this.varint(length, 0);
    this.#at = end;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
