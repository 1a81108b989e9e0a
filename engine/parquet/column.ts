import { crc32, zstdCompressSync } from 'node:zlib';
import { GrowingBytes } from './growing.ts';
import type { Levels } from './levels.ts';
import { bitWidth, RunEncoder } from './rle.ts';
import { ThriftStruct } from './thrift.ts';
import type { Bounds, StoredValues } from './values.ts';

/** Numbers of the format (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift). */
export const Physical = { BOOLEAN: 0, INT32: 1, INT64: 2, DOUBLE: 5, BYTE_ARRAY: 6, FIXED: 7 } as const;
export type Physical = (typeof Physical)[keyof typeof Physical];
export const Encoding = { PLAIN: 0, RLE: 3, RLE_DICTIONARY: 8 } as const;
export const Codec = { NONE: 0, ZSTD: 6 } as const;
export const Page = { DATA: 0, DICTIONARY: 2 } as const;

/** Rows of a page. */
const PAGE_ROWS = 20_480;
/** A dictionary up to this size is not compressed: it is read at once. */
const SMALL_DICTIONARY = 1 << 15;
/** Values without a dictionary that take no more than this are not worth the work either. */
const SMALL_VALUES = 1 << 10;

/** The columns of a file that are compressed: all, or texts alone, which is quicker for a file that is read only once. */
export type Packing = 'all' | 'texts';

/** The values of a leaf of the schema in one row group. */
export interface LeafData {
  readonly type: Physical;
  /** The names from the root of the schema on. */
  readonly path: readonly string[];
  /** null: all rows have a value. */
  readonly levels: Levels | null;
  readonly isList: boolean;
  readonly rows: number;
  readonly values: StoredValues;
}

/** A leaf as it lies in the file. */
export interface ColumnChunk {
  readonly leaf: LeafData;
  readonly encodings: readonly number[];
  readonly codec: number;
  readonly places: number;
  readonly nulls: number;
  readonly uncompressed: number;
  readonly compressed: number;
  readonly dictionaryAt: number | null;
  readonly dataAt: number;
  readonly bounds: Bounds | null;
}

/** Writes the pages of a leaf behind what is in the file. */
export function writeChunk(out: GrowingBytes, leaf: LeafData, packing: Packing): ColumnChunk {
  const { values, levels, rows, isList, type } = leaf;
  const isPacked = packing === 'all' || type === Physical.BYTE_ARRAY;
  const compressed = isPacked && values.plain.length > (values.ids === null ? SMALL_VALUES : SMALL_DICTIONARY);
  const pages = new PageWriter(out, compressed);
  const dictionaryAt = values.ids === null ? null : out.length;
  if (values.ids !== null) pages.dictionary(values.plain, values.distinct);
  const dataAt = out.length;
  const places = levels?.places ?? rows;
  const valueCount = levels?.values ?? rows;
  if (isList && levels !== null) {
    const body = new GrowingBytes();
    prefixed(body, () => levels.reader().listRepetitions(body));
    prefixed(body, () => levels.reader().listDefinitions(body));
    addValues(body, values, 0, 0, valueCount);
    pages.data(body.view(), places, values.ids !== null);
  } else writeFlat(pages, leaf);
  const { bounds } = values;
  return {
    leaf,
    encodings: values.ids === null ? [Encoding.PLAIN, Encoding.RLE] : [Encoding.PLAIN, Encoding.RLE, Encoding.RLE_DICTIONARY],
    codec: compressed ? Codec.ZSTD : Codec.NONE,
    places,
    nulls: places - valueCount,
    uncompressed: pages.uncompressed,
    compressed: out.length - (dictionaryAt ?? dataAt),
    dictionaryAt,
    dataAt,
    bounds,
  };
}

/** Truth values lie in bits, of which pages cannot begin in the middle of a byte: they are one page. */
function writeFlat(pages: PageWriter, { type, values, levels, rows }: LeafData): void {
  const reader = levels?.reader() ?? null;
  const perPage = type === Physical.BOOLEAN ? rows : PAGE_ROWS;
  let at = 0;
  let number = 0;
  for (let row = 0; row < rows; row += perPage) {
    const places = Math.min(perPage, rows - row);
    const body = new GrowingBytes();
    let count = places;
    if (reader !== null) prefixed(body, () => (count = reader.definitions(body, places)));
    at = addValues(body, values, at, number, count);
    number += count;
    pages.data(body.view(), places, values.ids !== null);
  }
}

/** Adds the next values. @param at place of the first one in PLAIN @param number how many came before @returns the place behind them */
function addValues(body: GrowingBytes, values: StoredValues, at: number, number: number, count: number): number {
  const { ids, plain, distinct } = values;
  if (ids === null) {
    const end = count === 0 ? at : values.after(at, count);
    body.bytes(plain, at, end);
    return end;
  }
  const bits = bitWidth(distinct - 1);
  body.byte(bits);
  const encoder = new RunEncoder(body, bits);
  for (let i = number; i < number + count; i++) encoder.add(ids[i] as number);
  encoder.end();
  return at;
}

/** Writes something with its length in four bytes before it. */
function prefixed(out: GrowingBytes, write: () => void): void {
  const at = out.length;
  out.word(0);
  write();
  out.data.writeUInt32LE(out.length - at - 4, at);
}

class PageWriter {
  /** Bytes with the headers, as they were before they were compressed. */
  uncompressed = 0;
  readonly #out: GrowingBytes;
  readonly #compressed: boolean;

  constructor(out: GrowingBytes, compressed: boolean) {
    this.#out = out;
    this.#compressed = compressed;
  }

  data(body: Buffer, places: number, byDictionary: boolean): void {
    const encoding = byDictionary ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
    this.#write(Page.DATA, body, (page) =>
      page.struct(5, (header) => header.i32(1, places).i32(2, encoding).i32(3, Encoding.RLE).i32(4, Encoding.RLE)),
    );
  }

  dictionary(body: Buffer, entries: number): void {
    this.#write(Page.DICTIONARY, body, (page) => page.struct(7, (header) => header.i32(1, entries).i32(2, Encoding.PLAIN)));
  }

  #write(type: number, body: Buffer, describe: (page: ThriftStruct) => void): void {
    const stored = this.#compressed ? zstdCompressSync(body) : body;
    const header = ThriftStruct.bytes((page) => {
      page
        .i32(1, type)
        .i32(2, body.length)
        .i32(3, stored.length)
        .i32(4, crc32(stored) | 0);
      describe(page);
    });
    this.#out.bytes(header);
    this.#out.bytes(stored);
    this.uncompressed += header.length + body.length;
  }
}
