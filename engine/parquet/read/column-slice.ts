import { isAscii } from 'node:buffer';
import { firstIndex } from '../../message/binary-search.ts';
import type { ByteValues, TextValues } from '../../message/batch/columns.ts';
import { ParquetError } from './byte-reader.ts';
import type { Leaf, LeafValues } from './chunk.ts';

/** The values of a column with the rows that have them. */
export class ReadColumn {
  /** Ascending; null: all rows have an entry. */
  readonly #rows: Uint32Array | null;
  /** Positions at which the values of each entry begin; null: each has one. */
  readonly #offsets: Uint32Array | null;
  readonly #values: LeafValues;

  constructor(leaf: Leaf, rows: number) {
    this.#values = leaf.values;
    const entries = entriesOf(leaf, rows);
    this.#rows = entries.rows;
    this.#offsets = entries.offsets;
  }

  /** The entries of the rows [from, to). */
  slice(from: number, to: number): ColumnSlice {
    const rows = this.#rows;
    const [first, last] =
      rows === null
        ? [from, to]
        : [firstIndex(rows.length, (i) => (rows[i] as number) >= from), firstIndex(rows.length, (i) => (rows[i] as number) >= to)];
    const own = rows === null || last - first === to - from ? null : rows.subarray(first, last).map((row) => row - from);
    const offsets = this.#offsets;
    const [begin, end] = offsets === null ? [first, last] : [offsets[first] as number, offsets[last] as number];
    return {
      rows: own,
      entries: last - first,
      offsets: offsets === null ? null : offsets.subarray(first, last + 1).map((at) => at - begin),
      values: new ValueSlice(this.#values, begin, end),
    };
  }
}

/** Entries of a column for some rows. */
export interface ColumnSlice {
  /** null: all of them. */
  readonly rows: Uint32Array | null;
  readonly entries: number;
  /** null: one value an entry. */
  readonly offsets: Uint32Array | null;
  readonly values: ValueSlice;
}

interface Entries {
  readonly rows: Uint32Array | null;
  readonly offsets: Uint32Array | null;
}

function entriesOf({ definitions, repetitions, values }: Leaf, rows: number): Entries {
  if (definitions === null) {
    if (values.kind !== 'words' || values.bytes.length !== rows * values.width) throw otherRows();
    return { rows: null, offsets: null };
  }
  const present = new Uint32Array(definitions.length);
  const offsets = repetitions === null ? null : new Uint32Array(definitions.length + 1);
  let count = 0;
  let before = 0;
  let row = -1;
  for (let i = 0; i < definitions.length; i++) {
    if (repetitions === null || repetitions[i] === 0) {
      row++;
      if (definitions[i] !== 0) {
        if (offsets !== null) offsets[count] = before;
        present[count++] = row;
      }
    }
    if (definitions[i] === 2) before++;
  }
  if (row + 1 !== rows) throw otherRows();
  if (offsets !== null) offsets[count] = before;
  return { rows: count === rows ? null : present.subarray(0, count), offsets: offsets?.subarray(0, count + 1) ?? null };
}

const otherRows = (): ParquetError => new ParquetError('a column has another number of rows than the file');

/** Bytes of the values of a column in a batch. */
const MOST_BYTES = 512 << 20;
/** Values below this are copied byte by byte: a call costs more. */
const SHORT = 32;

/** Some values of a leaf, in the forms of a batch. */
class ValueSlice {
  readonly #values: LeafValues;
  readonly #from: number;
  readonly #to: number;

  constructor(values: LeafValues, from: number, to: number) {
    this.#values = values;
    this.#from = from;
    this.#to = to;
  }

  /** Their bytes in a piece of their own. */
  bytes(): ByteValues {
    const values = this.#blobs();
    const count = this.#to - this.#from;
    const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
    let length = 0;
    for (let i = 0; i < count; i++) {
      starts[i] = length;
      ends[i] = length += (values.ends[this.#from + i] as number) - (values.starts[this.#from + i] as number);
    }
    // A dictionary may say a long text as often as it has rows.
    if (length > MOST_BYTES) throw new ParquetError('its values are too large');
    const bytes = Buffer.allocUnsafeSlow(length);
    for (let i = 0; i < count; i++)
      copy(values.bytes, values.starts[this.#from + i] as number, bytes, starts[i] as number, ends[i] as number);
    return { bytes, starts, ends };
  }

  texts(): TextValues {
    const { bytes, starts, ends } = this.bytes();
    const buffer = bytes as Buffer;
    if (isAscii(buffer)) return { text: buffer.toString('latin1'), starts, ends };
    const parts: string[] = [];
    let length = 0;
    for (let i = 0; i < starts.length; i++) {
      const part = buffer.toString('utf8', starts[i], ends[i]);
      parts.push(part);
      starts[i] = length;
      ends[i] = length += part.length;
    }
    return { text: parts.join(''), starts, ends };
  }

  /** The one text that all of them are by the dictionary; null: they are several. */
  constant(): string | null {
    const { bytes, starts, ends } = this.#blobs();
    for (let i = this.#from + 1; i < this.#to; i++) if (starts[i] !== starts[this.#from] || ends[i] !== ends[this.#from]) return null;
    return this.#from === this.#to ? null : bytes.toString('utf8', starts[this.#from], ends[this.#from]);
  }

  ints(): Int32Array {
    return new Int32Array(this.#words(4));
  }

  bigints(): BigInt64Array {
    return new BigInt64Array(this.#words(8));
  }

  doubles(): Float64Array {
    return new Float64Array(this.#words(8));
  }

  uuids(): Uint8Array {
    return new Uint8Array(this.#words(16));
  }

  bools(): Uint8Array {
    const values = this.#values;
    if (values.kind !== 'bools') throw unexpected();
    return values.values.slice(this.#from, this.#to);
  }

  /** Their memory for themselves, so that it lies where numbers may lie. */
  #words(width: number): ArrayBuffer {
    const values = this.#values;
    if (values.kind !== 'words' || values.width !== width) throw unexpected();
    return new Uint8Array(values.bytes.subarray(this.#from * width, this.#to * width)).buffer;
  }

  #blobs(): Extract<LeafValues, { kind: 'blobs' }> {
    if (this.#values.kind !== 'blobs') throw unexpected();
    return this.#values;
  }
}

const unexpected = (): ParquetError => new ParquetError('a column has values of another type than its description says');

function copy(source: Buffer, from: number, target: Buffer, start: number, end: number): void {
  const length = end - start;
  if (length > SHORT) source.copy(target, start, from, from + length);
  else for (let i = 0; i < length; i++) target[start + i] = source[from + i] as number;
}
