import { zstdDecompressSync } from 'node:zlib';
import { checkPage } from './check-pages.ts';
import { Codec, Encoding, Page, Physical } from '../column.ts';
import { ByteReader, MemoryBudget, ParquetError } from './byte-reader.ts';
import { readRuns } from './runs.ts';
import { readStruct, ThriftView } from './thrift-reader.ts';

/** Values of a leaf, one after the other. */
export type LeafValues =
  | { readonly kind: 'blobs'; readonly bytes: Buffer; readonly starts: Uint32Array; readonly ends: Uint32Array }
  | { readonly kind: 'words'; readonly width: number; readonly bytes: Uint8Array }
  | { readonly kind: 'bools'; readonly values: Uint8Array };

/** A leaf as it was written. */
export interface Leaf {
  /** Definition level of each place; null: all rows have a value. */
  readonly definitions: Uint32Array | null;
  /** Whether each place goes on with the list before it; null: it is no list. */
  readonly repetitions: Uint32Array | null;
  readonly values: LeafValues;
}

/** The kinds of columns by their levels. */
export type LeafKind = 'required' | 'optional' | 'list';

/** Largest page that is unpacked. */
const MAX_PAGE = 1 << 30;
/** Most rows and further values of lists in a page. */
const MAX_PLACES = 1 << 26;
/** Bytes that a place takes in memory, at least. */
const PLACE_BYTES = 8;
/** Bytes of a number; a Uuid is one, too. */
const WIDTHS: Readonly<Record<number, number>> = {
  [Physical.INT32]: 4,
  [Physical.INT64]: 8,
  [Physical.DOUBLE]: 8,
  [Physical.FIXED]: 16,
};

/** Reads the pages of a leaf. @param meta its `ColumnMetaData` @param budget what all leaves of the file may take @throws {ParquetError} */
export function readLeaf(file: Buffer, meta: ThriftView, kind: LeafKind, budget = new MemoryBudget()): Leaf {
  const from = new ByteReader(file);
  from.skip(meta.has(11) ? meta.number(11) : meta.number(9));
  const leaf = new LeafReader(meta.number(1), kind, budget);
  for (let left = meta.number(5); left > 0;) left -= leaf.page(from, meta.number(4) === Codec.ZSTD);
  return leaf.end();
}

/** Collects the pages of a leaf. */
class LeafReader {
  readonly #type: number;
  readonly #kind: LeafKind;
  readonly #budget: MemoryBudget;
  readonly #definitions: Uint32Array[] = [];
  readonly #repetitions: Uint32Array[] = [];
  readonly #values: LeafValues[] = [];
  #dictionary: LeafValues | null = null;

  constructor(type: number, kind: LeafKind, budget: MemoryBudget) {
    this.#budget = budget;
    this.#type = type;
    this.#kind = kind;
  }

  /** Reads a page. @returns the places that it has */
  page(from: ByteReader, isPacked: boolean): number {
    const head = new ThriftView(readStruct(from));
    const stored = from.take(head.number(3));
    checkPage(head, stored);
    if (isPacked) this.#budget.take(head.number(2));
    const body = new ByteReader(isPacked ? unpacked(stored, head.number(2)) : stored);
    if (head.number(1) === Page.DICTIONARY) {
      this.#dictionary = plainValues(this.#type, body, head.struct(7).number(1));
      return 0;
    }
    const data = head.struct(5);
    const places = data.number(1);
    if (places <= 0 || places > MAX_PLACES) throw new ParquetError(`a page says that it has ${places} rows`);
    // The levels and the values take numbers of four bytes.
    this.#budget.take(places * PLACE_BYTES);
    const count = this.#levels(body, places);
    this.#values.push(this.#valuesOf(body, count, data.number(2)));
    return places;
  }

  end(): Leaf {
    const values = joined(this.#values) ?? plainValues(this.#type, new ByteReader(Buffer.alloc(0)), 0);
    return {
      definitions: this.#kind === 'required' ? null : concat(this.#definitions),
      repetitions: this.#kind === 'list' ? concat(this.#repetitions) : null,
      values,
    };
  }

  /** @returns the number of values that follow */
  #levels(body: ByteReader, places: number): number {
    if (this.#kind === 'required') return places;
    const isList = this.#kind === 'list';
    if (isList) this.#repetitions.push(readRuns(body.take(body.word()), 1, places));
    const levels = readRuns(body.take(body.word()), isList ? 2 : 1, places);
    this.#definitions.push(levels);
    const most = isList ? 2 : 1;
    let count = 0;
    for (const level of levels) if (level === most) count++;
    return count;
  }

  #valuesOf(body: ByteReader, count: number, encoding: number): LeafValues {
    if (encoding === Encoding.PLAIN) return plainValues(this.#type, body, count);
    if (encoding !== Encoding.RLE_DICTIONARY || this.#dictionary === null) throw new ParquetError(`its values have encoding ${encoding}`);
    const bits = body.byte();
    return picked(this.#dictionary, readRuns(body.take(body.bytes.length - body.at), bits, count));
  }
}

function unpacked(stored: Buffer, length: number): Buffer {
  if (length > MAX_PAGE) throw new ParquetError('a page is too large');
  try {
    const bytes = zstdDecompressSync(stored, { maxOutputLength: Math.max(1, length) });
    if (bytes.length === length) return bytes;
  } catch (error) {
    throw new ParquetError('a page cannot be unpacked', { cause: error });
  }
  throw new ParquetError('a page has another length than it should');
}

function plainValues(type: number, body: ByteReader, count: number): LeafValues {
  if (type === Physical.BYTE_ARRAY) {
    if (count * 4 > body.bytes.length) throw new ParquetError('a page has too few values');
    const starts = new Uint32Array(count);
    const ends = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      starts[i] = body.skip(body.word());
      ends[i] = body.at;
    }
    return { kind: 'blobs', bytes: body.bytes, starts, ends };
  }
  if (type === Physical.BOOLEAN) {
    const bits = body.take(Math.ceil(count / 8));
    return { kind: 'bools', values: Uint8Array.from({ length: count }, (_, i) => ((bits[i >> 3] as number) >> (i & 7)) & 1) };
  }
  const width = WIDTHS[type];
  if (width === undefined) throw new ParquetError(`its values have type ${type}`);
  return { kind: 'words', width, bytes: body.take(count * width) };
}

/** The values of a dictionary by their numbers. */
function picked(dictionary: LeafValues, ids: Uint32Array): LeafValues {
  const size =
    dictionary.kind === 'blobs' ? dictionary.starts.length : dictionary.kind === 'words' ? dictionary.bytes.length / dictionary.width : 0;
  for (const id of ids) if (id >= size) throw new ParquetError('a value is not in the dictionary');
  if (dictionary.kind === 'blobs') {
    const { bytes, starts, ends } = dictionary;
    return { kind: 'blobs', bytes, starts: ids.map((id) => starts[id] as number), ends: ids.map((id) => ends[id] as number) };
  }
  const { width, bytes } = dictionary as Extract<LeafValues, { kind: 'words' }>;
  const out = new Uint8Array(ids.length * width);
  for (let i = 0; i < ids.length; i++) {
    const from = (ids[i] as number) * width;
    for (let k = 0; k < width; k++) out[i * width + k] = bytes[from + k] as number;
  }
  return { kind: 'words', width, bytes: out };
}

/** The values of several pages; null: there are none. */
function joined(pages: readonly LeafValues[]): LeafValues | null {
  const [first] = pages;
  if (first === undefined || pages.length === 1) return first ?? null;
  if (first.kind === 'words')
    return { ...first, bytes: Buffer.concat(pages.map((page) => (page.kind === 'words' ? page.bytes : NOTHING))) };
  if (first.kind === 'bools')
    return { kind: 'bools', values: Buffer.concat(pages.map((page) => (page.kind === 'bools' ? page.values : NOTHING))) };
  const blobs = pages.filter((page) => page.kind === 'blobs');
  // Pages of one dictionary share its bytes.
  const buffers = [...new Set(blobs.map(({ bytes }) => bytes))];
  const begin = new Map<Buffer, number>();
  let length = 0;
  for (const bytes of buffers) {
    begin.set(bytes, length);
    length += bytes.length;
  }
  const moved = (of: (page: (typeof blobs)[number]) => Uint32Array): Uint32Array =>
    concat(blobs.map((page) => of(page).map((at) => at + (begin.get(page.bytes) ?? 0))));
  return {
    kind: 'blobs',
    bytes: buffers.length === 1 ? (buffers[0] as Buffer) : Buffer.concat(buffers),
    starts: moved(({ starts }) => starts),
    ends: moved(({ ends }) => ends),
  };
}

const NOTHING = new Uint8Array();

function concat(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
