import { ParquetError, type ByteReader } from './byte-reader.ts';

/** A structure by the ids of its fields. */
export type ThriftFields = ReadonlyMap<number, ThriftValue>;
export type ThriftValue = boolean | number | Buffer | readonly ThriftValue[] | ThriftFields;

/** Deepest nesting that the metadata of a file have, and some more. */
const MAX_DEPTH = 16;
/** Most entries of all lists in the metadata of a file. */
const MAX_LISTED = 1 << 20;

/**
 * Reads a structure in Thrift's compact protocol (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md), with the types of fields
 * that the metadata of Parquet have.
 */
export function readStruct(from: ByteReader, depth = 0): ThriftFields {
  if (depth > MAX_DEPTH) throw new ParquetError('its metadata are nested too deeply');
  const fields = new Map<number, ThriftValue>();
  let id = 0;
  for (;;) {
    const head = from.byte();
    if (head === 0) return fields;
    id = head >> 4 === 0 ? zigzag(from) : id + (head >> 4);
    fields.set(id, readValue(from, head & 15, depth));
  }
}

function readValue(from: ByteReader, type: number, depth: number): ThriftValue {
  if (depth > MAX_DEPTH) throw new ParquetError('its metadata are nested too deeply');
  switch (type) {
    case 1:
      return true;
    case 2:
      return false;
    case 3:
      return from.byte();
    case 4:
    case 5:
    case 6:
      return zigzag(from);
    case 8:
      return from.take(from.varint());
    case 9: {
      const head = from.byte();
      const length = head >> 4 === 15 ? from.varint() : head >> 4;
      from.listed += length;
      if (length > from.bytes.length || from.listed > MAX_LISTED) throw new ParquetError('a list of its metadata is too long');
      return Array.from({ length }, () => readValue(from, head & 15, depth + 1));
    }
    case 12:
      return readStruct(from, depth + 1);
    default:
      throw new ParquetError(`its metadata have a field of the type ${type}`);
  }
}

function zigzag(from: ByteReader): number {
  const value = from.varint();
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** The fields of a structure, by their ids and types. @throws {ParquetError} for one that is missing */
export class ThriftView {
  readonly #fields: ThriftFields;

  constructor(fields: ThriftFields) {
    this.#fields = fields;
  }

  number(id: number): number {
    const value = this.#fields.get(id);
    return typeof value === 'number' ? value : missing(id);
  }

  has(id: number): boolean {
    return this.#fields.has(id);
  }

  text(id: number): string {
    const value = this.#fields.get(id);
    return Buffer.isBuffer(value) ? value.toString() : missing(id);
  }

  texts(id: number): string[] {
    return this.#list(id).map((value) => (Buffer.isBuffer(value) ? value.toString() : missing(id)));
  }

  struct(id: number): ThriftView {
    const value = this.#fields.get(id);
    return value instanceof Map ? new ThriftView(value as ThriftFields) : missing(id);
  }

  structs(id: number): ThriftView[] {
    return this.#list(id).map((value) => (value instanceof Map ? new ThriftView(value as ThriftFields) : missing(id)));
  }

  #list(id: number): readonly ThriftValue[] {
    const value = this.#fields.get(id);
    return Array.isArray(value) ? (value as readonly ThriftValue[]) : missing(id);
  }
}

function missing(id: number): never {
  throw new ParquetError(`its metadata lack field ${id}`);
}
