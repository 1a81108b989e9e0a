import { GrowingBytes } from './growing.ts';

/** Types of the compact protocol that the metadata of Parquet needs. */
const Type = { TRUE: 1, FALSE: 2, I32: 5, I64: 6, BINARY: 8, LIST: 9, STRUCT: 12 } as const;

type FieldWriter = (struct: ThriftStruct) => void;

/**
 * Writes structures in Thrift's compact protocol
 * (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md). Fields are written in ascending order of their ids.
 */
export class ThriftStruct {
  readonly #out: GrowingBytes;
  #last = 0;

  constructor(out: GrowingBytes) {
    this.#out = out;
  }

  /** The bytes of one structure. */
  static bytes(write: FieldWriter): Buffer {
    const out = new GrowingBytes();
    ThriftStruct.#write(out, write);
    return out.view();
  }

  static #write(out: GrowingBytes, write: FieldWriter): void {
    write(new ThriftStruct(out));
    out.byte(0);
  }

  bool(id: number, value: boolean): this {
    return this.#header(id, value ? Type.TRUE : Type.FALSE);
  }

  i32(id: number, value: number): this {
    this.#header(id, Type.I32).#zigzag(value);
    return this;
  }

  /** The value is below 2^52. */
  i64(id: number, value: number): this {
    this.#header(id, Type.I64).#zigzag(value);
    return this;
  }

  binary(id: number, value: Uint8Array | string): this {
    this.#header(id, Type.BINARY).#binary(value);
    return this;
  }

  struct(id: number, write: FieldWriter): this {
    this.#header(id, Type.STRUCT);
    ThriftStruct.#write(this.#out, write);
    return this;
  }

  structs<T>(id: number, items: readonly T[], write: (struct: ThriftStruct, item: T) => void): this {
    this.#list(id, Type.STRUCT, items.length);
    for (const item of items) ThriftStruct.#write(this.#out, (struct) => write(struct, item));
    return this;
  }

  i32s(id: number, items: readonly number[]): this {
    this.#list(id, Type.I32, items.length);
    for (const item of items) this.#zigzag(item);
    return this;
  }

  strings(id: number, items: readonly string[]): this {
    this.#list(id, Type.BINARY, items.length);
    for (const item of items) this.#binary(item);
    return this;
  }

  #header(id: number, type: number): this {
    this.#out.byte(((id - this.#last) << 4) | type);
    this.#last = id;
    return this;
  }

  #list(id: number, type: number, length: number): void {
    this.#header(id, Type.LIST);
    this.#out.byte((Math.min(length, 15) << 4) | type);
    if (length >= 15) this.#out.varint(length);
  }

  #binary(value: Uint8Array | string): void {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    this.#out.varint(bytes.length);
    this.#out.bytes(bytes);
  }

  #zigzag(value: number): void {
    this.#out.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }
}
