import { isStringOneByteRepresentation } from 'node:v8';
import { INTS, TEXTS } from '../../api/headers.ts';
import { BackingJoiner, joinBytes, joinTexts, unitsUsed, wasteful, type Backing, type Pieces } from './backing.ts';
import type { MessageBatch } from './batch.ts';
import type { FieldColumn, IntColumn, TextColumn, TextValues } from './columns.ts';
import { backingOf, type LatinText, type Text } from '../latin-text.ts';
import { ValueType } from '../types.ts';
import { alignUp, FIXED_WORDS, HAS_OFFSETS, HAS_REPRESENTATION, HAS_ROWS, Head, MAGIC, Stored, TEXT_WORDS } from './wire-layout.ts';

export interface EncodeOptions {
  /** false leaves the uuids out; the decoder then makes random ones. */
  readonly uuids?: boolean;
  /** Gives memory of at least this many bytes for arrays that are copied together; new memory by default. */
  readonly allocate?: (size: number) => Buffer;
}

/**
 * The byte form of a batch, as pieces to be written one behind the other. Large arrays are views on the batch's own memory, so write
 * the pieces before anything changes there. A text or byte array that several columns share is written once, and when less than half
 * of it is used, only the used parts.
 */
export function encodeBatch(batch: MessageBatch, options: EncodeOptions = {}): Uint8Array[] {
  const texts = new BackingTable<Text>(joinTexts);
  const byteArrays = new BackingTable<Uint8Array>(joinBytes);
  const fields = batch.fields.filter((column) => entriesOf(column, batch.length) > 0);
  noteBackings(batch, fields, texts, byteArrays);
  const arrays = new Arrays();
  const names = new Names();
  arrays.add(8, batch.timestamps);
  const words: number[] = [];
  for (const { member } of TEXTS) words.push(...textHeader(batch[member], arrays, names, texts));
  for (const { member } of INTS) words.push(...intHeader(batch[member], arrays));
  for (const column of fields) pushField(words, column, batch.length, arrays, names, texts, byteArrays);
  const bodies = [names.join(), ...texts.finish()].map(textBody);
  const byteBodies = byteArrays.finish();
  for (const body of bodies) arrays.addBody(body.width, body);
  for (const bytes of byteBodies) arrays.add(1, bytes);
  const withUuids = options.uuids !== false;
  if (withUuids) arrays.add(1, batch.uuids);

  const headWords = FIXED_WORDS + bodies.length * TEXT_WORDS + byteBodies.length + words.length;
  const head = new Uint32Array(alignUp(headWords * 4) / 4);
  let at = FIXED_WORDS;
  for (const body of bodies) {
    head[at++] = body.units;
    head[at++] = body.width;
  }
  for (const bytes of byteBodies) head[at++] = bytes.length;
  head.set(words, at);
  head[Head.magic] = MAGIC;
  head[Head.rows] = batch.length;
  head[Head.uuids] = withUuids ? 1 : 0;
  head[Head.texts] = bodies.length;
  head[Head.byteArrays] = byteBodies.length;
  head[Head.fields] = fields.length;
  return arrays.pieces(head, options.allocate ?? ((size) => Buffer.allocUnsafeSlow(size)));
}

/** The total length of these pieces in bytes. */
export function byteLengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** Whether a text of an encoded batch has two bytes for each code unit. */
export function hasWideTexts([head]: readonly Uint8Array[]): boolean {
  return head !== undefined && Buffer.from(head.buffer, head.byteOffset, head.length).readUInt32LE((Head.sizes + SIZE_OF_WIDE) * 4) > 0;
}

/** Place of the arrays of 2-byte elements among the sizes. */
const SIZE_OF_WIDE = 2;

function noteBackings(
  batch: MessageBatch,
  fields: readonly FieldColumn[],
  texts: BackingTable<Text>,
  byteArrays: BackingTable<Uint8Array>,
): void {
  for (const { member } of TEXTS) {
    const column = batch[member];
    if (column !== null && column.constant === undefined) texts.note(textPieces(column));
  }
  // The records as they were read come last, and need nearly all of their text.
  for (const column of fields.toReversed()) {
    if (column.valueType === ValueType.STRING) texts.note(textPieces(column.values));
    if (column.valueType === ValueType.BYTES) byteArrays.note(bytePieces(column.values));
  }
}

function textHeader(column: TextColumn | null, arrays: Arrays, names: Names, texts: BackingTable<Text>): number[] {
  if (column === null) return [Stored.absent, 0, 0, 0, 0];
  if (column.constant !== undefined) {
    const start = names.add(column.constant);
    return [Stored.constant, 0, 0, start, start + column.constant.length];
  }
  if (column.rows?.length === 0) return [Stored.absent, 0, 0, 0, 0];
  const { index, starts, ends } = texts.place(textPieces(column));
  if (column.rows !== null) arrays.add(4, column.rows);
  arrays.add(4, starts);
  arrays.add(4, ends);
  // Text 0 is the names.
  return [column.rows === null ? Stored.everyRow : Stored.someRows, index + 1, starts.length, 0, 0];
}

function intHeader(column: IntColumn | null, arrays: Arrays): number[] {
  if (column === null) return [Stored.absent, 0, 0, 0, 0];
  if (column.constant !== undefined) return [Stored.constant, column.constant, 0, 0, 0];
  if (column.rows?.length === 0) return [Stored.absent, 0, 0, 0, 0];
  if (column.rows !== null) arrays.add(4, column.rows);
  arrays.add(4, column.values);
  return [column.rows === null ? Stored.everyRow : Stored.someRows, 0, column.values.length, 0, 0];
}

function pushField(
  words: number[],
  column: FieldColumn,
  batchLength: number,
  arrays: Arrays,
  names: Names,
  texts: BackingTable<Text>,
  byteArrays: BackingTable<Uint8Array>,
): void {
  const { name, representation, rows, offsets } = column;
  const nameStart = names.add(name);
  const representationStart = names.add(representation ?? '');
  const flags = (rows === null ? 0 : HAS_ROWS) | (offsets === null ? 0 : HAS_OFFSETS) | (representation === null ? 0 : HAS_REPRESENTATION);
  if (rows !== null) arrays.add(4, rows);
  if (offsets !== null) arrays.add(4, offsets);
  const { count, backing } = addValues(column, arrays, texts, byteArrays);
  words.push(column.valueType | flags, nameStart, nameStart + name.length);
  words.push(representationStart, representationStart + (representation?.length ?? 0), entriesOf(column, batchLength), count, backing);
}

function addValues(
  column: FieldColumn,
  arrays: Arrays,
  texts: BackingTable<Text>,
  byteArrays: BackingTable<Uint8Array>,
): { count: number; backing: number } {
  switch (column.valueType) {
    case ValueType.STRING:
    case ValueType.BYTES: {
      const placed =
        column.valueType === ValueType.STRING ? texts.place(textPieces(column.values)) : byteArrays.place(bytePieces(column.values));
      arrays.add(4, placed.starts);
      arrays.add(4, placed.ends);
      return { count: placed.starts.length, backing: placed.index + (column.valueType === ValueType.STRING ? 1 : 0) };
    }
    case ValueType.INTEGER:
    case ValueType.DOUBLE:
      arrays.add(8, column.values);
      return { count: column.values.length, backing: 0 };
    case ValueType.BOOL:
      arrays.add(0, column.values);
      return { count: column.values.length, backing: 0 };
  }
}

function entriesOf(column: FieldColumn, batchLength: number): number {
  return column.rows === null ? batchLength : column.rows.length;
}

function textPieces(values: TextValues): Pieces<Text> {
  return { backing: backingOf(values), starts: values.starts, ends: values.ends };
}

function bytePieces({ bytes, starts, ends }: { bytes: Uint8Array; starts: Uint32Array; ends: Uint32Array }): Pieces<Uint8Array> {
  return { backing: bytes, starts, ends };
}

/** Column names, representations and constants, one behind the other. */
class Names {
  readonly #pieces: string[] = [];
  #length = 0;

  add(text: string): number {
    const start = this.#length;
    if (text !== '') this.#pieces.push(text);
    this.#length += text.length;
    return start;
  }

  join(): string {
    return this.#pieces.join('');
  }
}

interface BackingSlot<B extends Backing> {
  readonly backing: B;
  index: number;
  used: number;
  /** Set when only the values of this backing are written. */
  joiner: BackingJoiner<B> | null;
}

/** Length from which a backing is not looked up in a map, for which V8 would hash all of it: a batch has few of them. */
const LONG = 4096;

/** The backings of a batch, numbered as they are first placed. */
class BackingTable<B extends Backing> {
  readonly #join: (pieces: readonly B[]) => B;
  readonly #short = new Map<B, BackingSlot<B>>();
  readonly #long: BackingSlot<B>[] = [];
  readonly #order: BackingSlot<B>[] = [];

  constructor(join: (pieces: readonly B[]) => B) {
    this.#join = join;
  }

  note({ backing, starts, ends }: Pieces<B>): void {
    const slot = this.#find(backing) ?? this.#add(backing);
    // A backing is written whole once half of it is used: the rest need not be added up.
    if (wasteful(slot.used, backing.length)) slot.used += unitsUsed(starts, ends);
  }

  #add(backing: B): BackingSlot<B> {
    const slot = { backing, index: -1, used: 0, joiner: null };
    if (backing.length < LONG) this.#short.set(backing, slot);
    else this.#long.push(slot);
    return slot;
  }

  #find(backing: B): BackingSlot<B> | undefined {
    return backing.length < LONG ? this.#short.get(backing) : this.#long.find((slot) => slot.backing === backing);
  }

  /** The index of the written backing that holds values noted before, and their positions in it. */
  place(values: Pieces<B>): { index: number; starts: Uint32Array; ends: Uint32Array } {
    const slot = this.#find(values.backing) as BackingSlot<B>;
    if (slot.index < 0) {
      slot.index = this.#order.push(slot) - 1;
      if (wasteful(slot.used, slot.backing.length)) slot.joiner = new BackingJoiner(this.#join);
    }
    if (slot.joiner === null) return { index: slot.index, starts: values.starts, ends: values.ends };
    const starts = new Uint32Array(values.starts.length);
    const ends = new Uint32Array(starts.length);
    slot.joiner.copy(values, starts, ends, 0);
    return { index: slot.index, starts, ends };
  }

  finish(): B[] {
    return this.#order.map((slot) => slot.joiner?.finish() ?? slot.backing);
  }
}

/** Arrays or texts still to be written, with their length in bytes. */
interface Body {
  readonly size: number;
  write(target: Buffer, at: number): void;
  /** The bytes as they lie in memory, when they need no conversion. */
  readonly bytes: Uint8Array | null;
}

interface TextBody extends Body {
  /** Code units. */
  readonly units: number;
  readonly width: 1 | 2;
}

const WIDE = /[^\0-\xff]/;

/** V8 may store a string in two bytes a unit although one would do, when it was cut from a string that needs two. */
function textBody(text: Text): TextBody {
  if (typeof text !== 'string') return latinBody(text);
  const narrow = isStringOneByteRepresentation(text) || !WIDE.test(text);
  const width = narrow ? 1 : 2;
  const encoding = narrow ? 'latin1' : 'utf16le';
  return { units: text.length, width, size: text.length * width, bytes: null, write: (target, at) => target.write(text, at, encoding) };
}

function latinBody({ bytes, length }: LatinText): TextBody {
  return { units: length, width: 1, size: length, bytes, write: (target, at) => bytes.copy(target, at) };
}

/** Arrays from this size on become pieces of their own; smaller ones are copied together, as a write costs about as much as copying this many bytes. */
const OWN_PIECE = 65_536;

/** Bytes per element; 0: the bools, which lie behind everything else. */
type Width = 8 | 4 | 2 | 1 | 0;
const WIDTHS = [8, 4, 2, 1, 0] as const;

class Arrays {
  readonly #bodies: Record<Width, Body[]> = { 8: [], 4: [], 2: [], 1: [], 0: [] };

  add(width: Width, array: BigInt64Array | Float64Array | Uint32Array | Int32Array | Uint8Array): void {
    if (array.length === 0) return;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    this.addBody(width, { size: bytes.length, bytes, write: (target, at) => target.set(bytes, at) });
  }

  addBody(width: Width, body: Body): void {
    this.#bodies[width].push(body);
  }

  /** Completes the head with the sizes and returns all pieces. */
  pieces(head: Uint32Array, allocate: (size: number) => Buffer): Uint8Array[] {
    const sizes = WIDTHS.map((width) => this.#bodies[width].reduce((sum, body) => sum + body.size, 0));
    const size = sizes.reduce((sum, part) => sum + part, head.byteLength);
    const total = alignUp(size);
    if (total > 0xffff_ffff) throw new RangeError(`a batch of ${total} bytes`);
    head.set(sizes, Head.sizes);
    head[Head.total] = total;
    const headBytes = new Uint8Array(head.buffer);
    const bodies: Body[] = [{ size: headBytes.length, bytes: headBytes, write: (target, at) => target.set(headBytes, at) }];
    for (const width of WIDTHS) bodies.push(...this.#bodies[width]);
    if (total > size) bodies.push(padding(total - size));
    return gather(bodies, allocate);
  }
}

function padding(size: number): Body {
  return { size, bytes: null, write: (target, at) => target.fill(0, at, at + size) };
}

function gather(bodies: readonly Body[], allocate: (size: number) => Buffer): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let run: Body[] = [];
  const flush = () => {
    if (run.length > 0) pieces.push(writeRun(run, allocate));
    run = [];
  };
  for (const body of bodies) {
    if (body.bytes === null || body.size < OWN_PIECE) run.push(body);
    else {
      flush();
      pieces.push(body.bytes);
    }
  }
  flush();
  return pieces;
}

function writeRun(run: readonly Body[], allocate: (size: number) => Buffer): Uint8Array {
  const size = run.reduce((sum, body) => sum + body.size, 0);
  const target = allocate(size).subarray(0, size);
  let at = 0;
  for (const body of run) {
    body.write(target, at);
    at += body.size;
  }
  return target;
}
