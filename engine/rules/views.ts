import { OPTIONAL_HEADERS } from '../api/headers.ts';
import { headerReader, type MessageBatch } from '../message/batch/batch.ts';
import type { FieldColumn } from '../message/batch/columns.ts';
import { formatTimestamp } from '../message/timestamp.ts';
import { ValueType } from '../message/types.ts';
import { slice, sliceOf, type Slice } from './slices.ts';

/** Is given values as pieces of texts. */
export type Visit = (text: string, start: number, end: number) => void;

/** The values of a place in each row of a batch. */
export interface View {
  each(row: number, visit: Visit): void;
}

/** The values that rules look at, of one batch; made when they are asked for. */
export class BatchViews {
  readonly #batch: MessageBatch;
  readonly #byName = new Map<string, FieldColumn[]>();
  readonly #byLowerName = new Map<string, FieldColumn[]>();
  readonly #columns = new Map<FieldColumn, View>();
  readonly #places = new Map<string, readonly View[]>();

  constructor(batch: MessageBatch) {
    this.#batch = batch;
    for (const column of batch.fields) {
      add(this.#byName, column.name, column);
      add(this.#byLowerName, column.name.toLowerCase(), column);
    }
  }

  /** The views of a place of the table of log sources; '' stands for all texts. None: nothing in the batch has it. */
  of(place: string): readonly View[] {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const views = this.#make(place);
    this.#places.set(place, views);
    return views;
  }

  #make(place: string): readonly View[] {
    if (place === '') return this.#texts();
    if (place.startsWith('@')) return this.#header(place.slice(1));
    if (place.endsWith('*')) return this.#joined(place.slice(0, -2));
    const deep = place.indexOf('//');
    if (deep > 0) return this.#find(place.slice(0, deep)).map((column) => new JsonView(this.#view(column), [place.slice(deep + 2)], true));
    const [name = '', part] = place.split('|');
    const columns = this.#find(name);
    const cut = sliceOf(name, part);
    if (columns.length > 0) return columns.map((column) => (cut === null ? this.#view(column) : new SliceView(this.#view(column), cut)));
    return this.#inJson(name);
  }

  /** The columns of a name, or of the name in other case where there are none. */
  #find(name: string): readonly FieldColumn[] {
    return this.#byName.get(name) ?? this.#byLowerName.get(name.toLowerCase()) ?? [];
  }

  #view(column: FieldColumn): View {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const view = columnView(column, this.#batch.length);
    this.#columns.set(column, view);
    return view;
  }

  #texts(): readonly View[] {
    const columns = this.#batch.fields.filter(({ valueType }) => valueType === ValueType.STRING);
    return [...this.#header('Payload'), ...columns.map((column) => this.#view(column))];
  }

  #header(name: string): readonly View[] {
    const { timestamps } = this.#batch;
    if (name === 'Timestamp') return [new HeaderView((row) => formatTimestamp(timestamps[row] as bigint))];
    const header = OPTIONAL_HEADERS.find((other) => other.name === name);
    const column = header === undefined ? null : this.#batch[header.member];
    if (header === undefined || column === null) return [];
    if (header.kind !== 'text' || column.constant !== undefined || !('text' in column))
      return [new HeaderView(headerReader(this.#batch, header))];
    const { rows, text, starts, ends } = column;
    return [new TextView({ entries: entriesOf(rows, this.#batch.length), offsets: null, text, starts, ends })];
  }

  /** The arguments of a command: fields that are numbered from 0 on. */
  #joined(name: string): readonly View[] {
    const counts = this.#find('argc');
    if (counts.length === 0) return [];
    const parts: View[] = [];
    for (let i = 0; i < MAX_ARGUMENTS; i++) {
      const columns = this.#find(`${name}${i}`);
      if (columns.length === 0) break;
      for (const column of columns) parts.push(this.#view(column));
    }
    const isCommand = counts.map((column) => this.#view(column));
    return parts.length === 0 ? [] : [new JoinedView(parts, isCommand)];
  }

  /** A name with points may lead into the JSON in a field. */
  #inJson(name: string): readonly View[] {
    for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
      const columns = this.#find(name.slice(0, at)).filter(({ representation }) => representation === 'json');
      if (columns.length > 0) return columns.map((column) => new JsonView(this.#view(column), name.slice(at + 1).split('.'), false));
    }
    return [];
  }
}

const MAX_ARGUMENTS = 200;

function add(map: Map<string, FieldColumn[]>, name: string, column: FieldColumn): void {
  const columns = map.get(name);
  if (columns === undefined) map.set(name, [column]);
  else columns.push(column);
}

function columnView(column: FieldColumn, length: number): View {
  const entries = entriesOf(column.rows, length);
  const { offsets } = column;
  switch (column.valueType) {
    case ValueType.STRING: {
      const { text, starts, ends } = column.values;
      return new TextView({ entries, offsets, text, starts, ends });
    }
    case ValueType.INTEGER:
    case ValueType.DOUBLE: {
      const { values } = column;
      return new ValueView(entries, offsets, (i) => numberText(values[i] as number | bigint));
    }
    case ValueType.BOOL: {
      const { values } = column;
      return new ValueView(entries, offsets, (i) => (values[i] === 0 ? 'false' : 'true'));
    }
    case ValueType.BYTES: {
      const { bytes, starts, ends } = column.values;
      return new ValueView(entries, offsets, (i) => Buffer.from(bytes.subarray(starts[i], ends[i])).toString('latin1'));
    }
  }
}

/** Texts of numbers that came before: those of a log are mostly the same few. */
const numberTexts = new Map<number | bigint, string>();
const MAX_NUMBERS = 10_000;

function numberText(value: number | bigint): string {
  const known = numberTexts.get(value);
  if (known !== undefined) return known;
  const text = String(value);
  if (numberTexts.size < MAX_NUMBERS) numberTexts.set(value, text);
  return text;
}

/** The entry of each row, -1: it has none; null: each row has one. */
function entriesOf(rows: Uint32Array | null, length: number): Int32Array | null {
  if (rows === null) return null;
  const entries = new Int32Array(length).fill(-1);
  for (let i = 0; i < rows.length; i++) entries[rows[i] as number] = i;
  return entries;
}

interface Texts {
  readonly entries: Int32Array | null;
  readonly offsets: Uint32Array | null;
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

class TextView implements View {
  readonly #texts: Texts;

  constructor(texts: Texts) {
    this.#texts = texts;
  }

  each(row: number, visit: Visit): void {
    const { entries, offsets, text, starts, ends } = this.#texts;
    const entry = entries === null ? row : (entries[row] as number);
    if (entry < 0) return;
    if (offsets === null) return visit(text, starts[entry] as number, ends[entry] as number);
    const to = offsets[entry + 1] as number;
    for (let i = offsets[entry] as number; i < to; i++) visit(text, starts[i] as number, ends[i] as number);
  }
}

class ValueView implements View {
  readonly #entries: Int32Array | null;
  readonly #offsets: Uint32Array | null;
  readonly #textOf: (value: number) => string;

  constructor(entries: Int32Array | null, offsets: Uint32Array | null, textOf: (value: number) => string) {
    this.#entries = entries;
    this.#offsets = offsets;
    this.#textOf = textOf;
  }

  each(row: number, visit: Visit): void {
    const entry = this.#entries === null ? row : (this.#entries[row] as number);
    if (entry < 0) return;
    const offsets = this.#offsets;
    const to = offsets === null ? entry + 1 : (offsets[entry + 1] as number);
    for (let i = offsets === null ? entry : (offsets[entry] as number); i < to; i++) {
      const text = this.#textOf(i);
      visit(text, 0, text.length);
    }
  }
}

class HeaderView implements View {
  readonly #read: (row: number) => string | number | undefined;

  constructor(read: (row: number) => string | number | undefined) {
    this.#read = read;
  }

  each(row: number, visit: Visit): void {
    const value = this.#read(row);
    if (value === undefined) return;
    const text = String(value);
    visit(text, 0, text.length);
  }
}

class SliceView implements View {
  readonly #view: View;
  readonly #cut: Slice;

  constructor(view: View, cut: Slice) {
    this.#view = view;
    this.#cut = cut;
  }

  each(row: number, visit: Visit): void {
    this.#view.each(row, (text, start, end) => {
      if (this.#cut(text, start, end)) visit(text, slice.start, slice.end);
    });
  }
}

/** The first text of some views in a row; null: there is none. */
export function firstText(views: readonly View[], row: number): string | null {
  first = null;
  for (const view of views) {
    view.each(row, takeFirst);
    if (first !== null) return first;
  }
  return null;
}

let first: string | null = null;
const takeFirst: Visit = (text, start, end) => {
  first ??= text.slice(start, end);
};

/** All values of a view. */
function textsOf(view: View, row: number): string[] {
  const texts: string[] = [];
  view.each(row, (text, start, end) => texts.push(text.slice(start, end)));
  return texts;
}

class JoinedView implements View {
  readonly #parts: readonly View[];
  readonly #counts: readonly View[];

  constructor(parts: readonly View[], counts: readonly View[]) {
    this.#parts = parts;
    this.#counts = counts;
  }

  each(row: number, visit: Visit): void {
    if (firstText(this.#counts, row) === null) return;
    const text = this.#parts.flatMap((view) => textsOf(view, row)).join(' ');
    visit(text, 0, text.length);
  }
}

/** Values of the JSON of a view; the last row that was asked for is kept parsed. */
class JsonView implements View {
  readonly #view: View;
  readonly #path: readonly string[];
  readonly #isDeep: boolean;

  constructor(view: View, path: readonly string[], isDeep: boolean) {
    this.#view = view;
    this.#path = path;
    this.#isDeep = isDeep;
  }

  each(row: number, visit: Visit): void {
    for (const text of textsOf(this.#view, row)) {
      if (!text.includes(this.#path.at(-1) as string)) continue;
      const found: unknown[] = [];
      const value = parsed(text);
      if (this.#isDeep) findDeep(value, this.#path[0] as string, found, 0);
      else findAt(value, this.#path, 0, found);
      for (const each of found) {
        const piece = typeof each === 'string' ? each : JSON.stringify(each);
        visit(piece, 0, piece.length);
      }
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const MAX_DEPTH = 50;

function findAt(value: unknown, path: readonly string[], at: number, found: unknown[]): void {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) findAt(item, path, at, found);
  else if (at === path.length) {
    if (value !== null && value !== undefined) found.push(value);
  } else if (typeof value === 'object' && value !== null) {
    const key = path[at] as string;
    const name = Object.hasOwn(value, key) ? key : Object.keys(value).find((other) => other.toLowerCase() === key.toLowerCase());
    if (name !== undefined) findAt((value as Readonly<Record<string, unknown>>)[name], path, at + 1, found);
  }
}

function findDeep(value: unknown, key: string, found: unknown[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  for (const [name, item] of Object.entries(value)) {
    if (name === key && item !== null) found.push(item);
    findDeep(item, key, found, depth + 1);
  }
}
