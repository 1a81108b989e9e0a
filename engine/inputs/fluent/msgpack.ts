/** MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md), as far as it is needed to read what strangers send. */

/** Bytes that are no MessagePack, or too much of it. */
export class MsgpackError extends Error {
  override readonly name = 'MsgpackError';
}

/** A value with a type of its own. */
export class Extension {
  readonly type: number;
  readonly bytes: Buffer;

  constructor(type: number, bytes: Buffer) {
    this.type = type;
    this.bytes = bytes;
  }
}

export type MsgpackValue = null | boolean | number | bigint | string | Buffer | Extension | MsgpackValue[] | Map<string, MsgpackValue>;

/** A key as a text; of lists and maps, which are keys of no client, their JSON. */
function nameOf(key: MsgpackValue): string {
  if (Buffer.isBuffer(key)) return key.toString();
  if (typeof key !== 'object') return String(key);
  return JSON.stringify(key, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Containers within containers. */
const MAX_DEPTH = 32;
/** Values within a value: an empty map of one byte takes 300 in memory. */
export const MAX_PARTS = 1 << 18;

type Kind = 'nil' | 'bool' | 'int' | 'uint' | 'float' | 'str' | 'bin' | 'array' | 'map' | 'ext';

/** Head of a value: its kind, the length of its head, and of its content in bytes or, of arrays and maps, in values. */
interface Head {
  readonly kind: Kind;
  readonly head: number;
  readonly size: number;
}

const head = (kind: Kind, length: number, size = 0): Head => ({ kind, head: length, size });

/** Kinds of the values whose first byte is 0xc0 and above, with the bytes of their number or length. */
const FIXED: Readonly<Record<number, Head>> = {
  0xc0: head('nil', 1),
  0xc2: head('bool', 1),
  0xc3: head('bool', 1),
  0xca: head('float', 1, 4),
  0xcb: head('float', 1, 8),
  0xcc: head('uint', 1, 1),
  0xcd: head('uint', 1, 2),
  0xce: head('uint', 1, 4),
  0xcf: head('uint', 1, 8),
  0xd0: head('int', 1, 1),
  0xd1: head('int', 1, 2),
  0xd2: head('int', 1, 4),
  0xd3: head('int', 1, 8),
  0xd4: head('ext', 2, 1),
  0xd5: head('ext', 2, 2),
  0xd6: head('ext', 2, 4),
  0xd7: head('ext', 2, 8),
  0xd8: head('ext', 2, 16),
};
const COUNTED: Readonly<Record<number, readonly [kind: Kind, bytes: number]>> = {
  0xc4: ['bin', 1],
  0xc5: ['bin', 2],
  0xc6: ['bin', 4],
  0xc7: ['ext', 1],
  0xc8: ['ext', 2],
  0xc9: ['ext', 4],
  0xd9: ['str', 1],
  0xda: ['str', 2],
  0xdb: ['str', 4],
  0xdc: ['array', 2],
  0xdd: ['array', 4],
  0xde: ['map', 2],
  0xdf: ['map', 4],
};

/** The head of the value at a position; null: it is not there as a whole. @throws {MsgpackError} */
function headAt(bytes: Buffer, at: number): Head | null {
  const first = bytes[at];
  if (first === undefined) return null;
  if (first < 0x80 || first >= 0xe0) return head('int', 1);
  if (first < 0x90) return head('map', 1, first & 0x0f);
  if (first < 0xa0) return head('array', 1, first & 0x0f);
  if (first < 0xc0) return head('str', 1, first & 0x1f);
  const fixed = FIXED[first];
  if (fixed !== undefined) return fixed;
  const counted = COUNTED[first];
  if (counted === undefined) throw new MsgpackError('it has a byte that begins no value');
  const [kind, length] = counted;
  if (at + 1 + length > bytes.length) return null;
  return head(kind, 1 + length + (kind === 'ext' ? 1 : 0), bytes.readUIntBE(at + 1, length));
}

const isContainer = (kind: Kind): boolean => kind === 'array' || kind === 'map';

/** Finds the end of a value that comes in pieces: goes on where the last call stopped. */
export class ValueScanner {
  /** Values that each open container still wants. */
  readonly #wanted: number[] = [];
  #at = 0;
  #parts = 0;

  /** Values that were passed, with containers and what is in them. */
  get parts(): number {
    return this.#parts;
  }

  /**
   * @param bytes the value from its beginning on, as far as it is there
   * @returns the position behind it; -1: more is needed
   * @throws {MsgpackError} for what is no value, or is nested too deeply
   */
  end(bytes: Buffer): number {
    for (;;) {
      const found = headAt(bytes, this.#at);
      if (found === null) return -1;
      const behind = this.#at + found.head + (isContainer(found.kind) ? 0 : found.size);
      if (behind > bytes.length) return -1;
      this.#at = behind;
      this.#parts++;
      if (isContainer(found.kind) && found.size > 0) {
        if (this.#wanted.length >= MAX_DEPTH) throw new MsgpackError(`it is nested more than ${MAX_DEPTH} deep`);
        this.#wanted.push(found.kind === 'map' ? found.size * 2 : found.size);
      } else if (this.#isComplete()) {
        const end = this.#at;
        this.#at = 0;
        return end;
      }
    }
  }

  /** A value has ended, and with it containers that wanted no more. */
  #isComplete(): boolean {
    while (this.#wanted.length > 0) {
      const left = (this.#wanted.pop() as number) - 1;
      if (left === 0) continue;
      this.#wanted.push(left);
      return false;
    }
    return true;
  }
}

/** Reads values one by one. */
export class MsgpackReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Goes into an array. Returns its length. @throws {MsgpackError} for anything else */
  array(): number {
    const { kind, size } = this.#next();
    if (kind !== 'array') throw new MsgpackError(`it has a value of the kind ${kind} in place of a list`);
    return size;
  }

  /** Whether an array comes next. */
  get isArray(): boolean {
    return headAt(this.#bytes, this.#at)?.kind === 'array';
  }

  /** The bytes of the text or the bytes that come next; null: anything else comes, and is not passed. @throws {MsgpackError} when they are cut off */
  bytes(): Buffer | null {
    const found = headAt(this.#bytes, this.#at);
    if (found?.kind !== 'str' && found?.kind !== 'bin') return null;
    const from = this.#at + found.head;
    this.#at = from + found.size;
    if (this.#at > this.#bytes.length) throw new MsgpackError('it is cut off');
    return this.#bytes.subarray(from, this.#at);
  }

  /** Passes the next value over. Returns of how many parts it is. @throws {MsgpackError} for bytes that are no value */
  skip(): number {
    const scanner = new ValueScanner();
    const length = scanner.end(this.#bytes.subarray(this.#at));
    if (length < 0) throw new MsgpackError('it is cut off');
    this.#at += length;
    return scanner.parts;
  }

  /** Whether the next value has more parts than are read. @throws {MsgpackError} for bytes that are no value */
  get isTooLarge(): boolean {
    if (this.#bytes.length - this.#at <= MAX_PARTS) return false;
    const start = this.#at;
    const parts = this.skip();
    this.#at = start;
    return parts > MAX_PARTS;
  }

  /** @throws {MsgpackError} for bytes that are no value, and for one of too many parts */
  value(depth = 0): MsgpackValue {
    if (depth === 0 && this.isTooLarge) throw new MsgpackError(`it has a value of more than ${MAX_PARTS} parts`);
    const start = this.#at;
    const { kind, head: length, size } = this.#next();
    if (depth > MAX_DEPTH) throw new MsgpackError(`it is nested more than ${MAX_DEPTH} deep`);
    if (kind === 'array') return this.#list(size, depth);
    if (kind === 'map') return this.#map(size, depth);
    const from = start + length;
    const to = from + size;
    if (to > this.#bytes.length) throw new MsgpackError('it is cut off');
    this.#at = to;
    return this.#scalar(kind, start, from, to);
  }

  #next(): Head {
    const found = headAt(this.#bytes, this.#at);
    if (found === null) throw new MsgpackError('it is cut off');
    this.#at += found.head;
    return found;
  }

  #list(size: number, depth: number): MsgpackValue[] {
    const list: MsgpackValue[] = [];
    for (let i = 0; i < size; i++) list.push(this.value(depth + 1));
    return list;
  }

  #map(size: number, depth: number): Map<string, MsgpackValue> {
    const map = new Map<string, MsgpackValue>();
    for (let i = 0; i < size; i++) {
      const key = this.value(depth + 1);
      map.set(nameOf(key), this.value(depth + 1));
    }
    return map;
  }

  #scalar(kind: Kind, start: number, from: number, to: number): MsgpackValue {
    const bytes = this.#bytes;
    switch (kind) {
      case 'nil':
        return null;
      case 'bool':
        return bytes[start] === 0xc3;
      case 'str':
        return bytes.toString('utf8', from, to);
      case 'bin':
        return bytes.subarray(from, to);
      case 'ext':
        return new Extension(bytes.readInt8(from - 1), bytes.subarray(from, to));
      case 'float':
        return to - from === 4 ? bytes.readFloatBE(from) : bytes.readDoubleBE(from);
      case 'uint':
        return to - from === 8 ? safe(bytes.readBigUInt64BE(from)) : bytes.readUIntBE(from, to - from);
      default:
        if (from === to) return bytes.readInt8(start);
        return to - from === 8 ? safe(bytes.readBigInt64BE(from)) : bytes.readIntBE(from, to - from);
    }
  }
}

/** A number where it is exact. */
const safe = (value: bigint): number | bigint => (value > -(2n ** 53n) && value < 2n ** 53n ? Number(value) : value);

/** Encodes what an input answers: lists and maps of texts, bytes and truths. */
export function encodeMsgpack(value: MsgpackValue): Buffer {
  if (typeof value === 'boolean') return Buffer.of(value ? 0xc3 : 0xc2);
  if (typeof value === 'string') return counted(0xdb, Buffer.from(value));
  if (Buffer.isBuffer(value)) return counted(0xc6, value);
  if (Array.isArray(value)) return Buffer.concat([countOf(0xdd, value.length), ...value.map(encodeMsgpack)]);
  if (value instanceof Map) {
    return Buffer.concat([countOf(0xdf, value.size), ...[...value].flatMap(([key, each]) => [encodeMsgpack(key), encodeMsgpack(each)])]);
  }
  throw new TypeError('a value that no answer has');
}

function countOf(kind: number, count: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes[0] = kind;
  bytes.writeUInt32BE(count, 1);
  return bytes;
}

const counted = (kind: number, bytes: Buffer): Buffer => Buffer.concat([countOf(kind, bytes.length), bytes]);
