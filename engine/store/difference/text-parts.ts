import type { FieldColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import { Amounts } from './amounts.ts';
import { FieldCodes } from './field-codes.ts';
import type { ComparedField, VisitColumn } from './field-table.ts';
import { NumberCounts } from './number-counts.ts';
import { markSpans, VARYING, literalsOf } from './shapes.ts';

type Texts = Extract<FieldColumn, { readonly valueType: 0 }>;

/** Shapes whose marks are looked into, marks of each, and records that a shape needs: a count, and a share of all. */
const [MOST_SHAPES, MOST_MARKS, LEAST_RECORDS, LEAST_SHARE] = [128, 6, 40, 0.0002];
/** Share of the words of a mark in the first segment that are numbers, from which on they are. */
const NUMERIC = 0.95;
/** Share from which on a value is told in the place of the mark. */
const CONSTANT = 0.95;
/** Numbers of processes and threads, by what stands before: they change with each start. */
const NO_VALUES = /(?:\w\[|\b[pt]id[=: ]*|\bthread[-_ =:]*)$/i;
const [COLON, POINT] = [58, 46];
const POINTS_OF_ADDRESS = 3;

/** A place in the texts of one shape: a field of its own, whose values are the words that a mark stands for. */
interface Part {
  readonly mark: number;
  readonly amounts: Amounts;
  /** null: no word was read. */
  field: ComparedField | null;
}

interface Shape {
  readonly code: number;
  /** Texts between its marks. */
  readonly words: readonly string[];
  readonly literals: readonly number[];
  readonly parts: readonly Part[];
  readonly spans: Uint32Array;
  /** Entries of the column that is read: so many, from such a place in their order on. */
  entries: number;
  first: number;
}

/** The parts of the texts of a field that vary, for the shapes that many records have. */
export class TextParts {
  readonly #field: FieldCodes;
  readonly #shapes = new Map<number, Shape>();
  #shapeOf: (Shape | undefined)[] = [];
  #order = new Uint32Array(0);
  #room = 0;
  #rows = new Uint32Array(0);
  #starts = new Uint32Array(0);
  #ends = new Uint32Array(0);
  #numbers = new Float64Array(0);

  /** @param records of both sides */
  constructor(field: FieldCodes, records: number) {
    this.#field = field;
    const least = Math.max(LEAST_RECORDS, LEAST_SHARE * records);
    const [a, b] = [field.counts.sums(0, field.known), field.counts.sums(1, field.known)];
    const counted = Array.from(a, (count, code) => ({ code, count: count + (b[code] as number) }));
    const chosen = counted.filter(({ count }) => count >= least).sort((x, y) => y.count - x.count);
    for (const { code } of chosen.slice(0, MOST_SHAPES)) this.#add(code);
  }

  get isEmpty(): boolean {
    return this.#shapes.size === 0;
  }

  /** The fields of all parts. */
  get fields(): ComparedField[] {
    return [...this.#shapes.values()].flatMap(({ parts }) => parts.flatMap(({ field }) => field ?? []));
  }

  /**
   * Calls back for the words of each part in a column of texts.
   * @param codes of the shapes of its entries
   * @param isWanted asked for each part that was there before
   */
  each(column: Texts, count: number, codes: Uint16Array, isWanted: (field: FieldCodes) => boolean, visit: VisitColumn): void {
    const shapes = this.#sort(codes, count);
    const latin = column.values.latin?.bytes;
    const text = latin === undefined ? column.values.text : '';
    const { starts, ends } = column.values;
    for (const shape of shapes) {
      const { literals, spans, entries, first } = shape;
      const parts = shape.parts.filter(({ field }) => field === null || isWanted(field.codes));
      if (parts.length === 0) {
        shape.entries = 0;
        continue;
      }
      this.#reserve(entries * parts.length, entries);
      for (let n = 0; n < entries; n++) {
        const i = this.#order[first + n] as number;
        const at = column.offsets === null ? i : (column.offsets[i] as number);
        const [from, to] = [starts[at] as number, ends[at] as number];
        const bytes = latin ?? Buffer.from(text.slice(from, to), 'latin1');
        const base = latin === undefined ? from : 0;
        markSpans(bytes, from - base, to - base, literals, spans);
        this.#rows[n] = column.rows === null ? i : (column.rows[i] as number);
        for (let p = 0; p < parts.length; p++) {
          const { mark, amounts, field } = parts[p] as Part;
          const [start, end] = [spans[2 * mark] as number, spans[2 * mark + 1] as number];
          const place = p * entries + n;
          this.#starts[place] = start + base;
          this.#ends[place] = endOfAddress(bytes, start, end) + base;
          if (field === null || field.numbers !== null) this.#numbers[place] = amounts.read(bytes, start, end);
        }
      }
      this.#visit(shape, parts, column, visit);
      shape.entries = 0;
    }
  }

  /** The text of a shape, with the words that nearly all of its records have in the place of its marks. */
  told(code: number): string | null {
    const shape = this.#shapes.get(code);
    if (shape === undefined) return null;
    return shape.words.reduce((text, word, at) => {
      const field = shape.parts.find(({ mark }) => mark === at - 1)?.field ?? null;
      return text + (constantOf(field) ?? VARYING) + word;
    });
  }

  #visit(shape: Shape, parts: readonly Part[], column: Texts, visit: VisitColumn): void {
    const size = shape.entries;
    const rows = this.#rows.subarray(0, size);
    const base = { name: column.name, representation: null, rows, offsets: null };
    for (const [p, part] of parts.entries()) {
      const [from, to] = [p * size, (p + 1) * size];
      const numbers = this.#numbers.subarray(from, to);
      const field = (part.field ??= this.#fieldOf(shape, part, numbers));
      if (field.numbers !== null) visit(field, { ...base, valueType: ValueType.DOUBLE, values: numbers }, size, false);
      else {
        const { text, latin } = column.values;
        const values = {
          text,
          starts: this.#starts.subarray(from, to),
          ends: this.#ends.subarray(from, to),
          ...(latin === undefined ? {} : { latin }),
        };
        visit(field, { ...base, valueType: ValueType.STRING, values }, size, false);
      }
    }
  }

  #fieldOf({ code, words }: Shape, { mark, amounts }: Part, numbers: Float64Array): ComparedField {
    let known = 0;
    for (const number of numbers) if (number === number) known++;
    const isNumber = known >= NUMERIC * numbers.length;
    const [before, after] = [words.slice(0, mark + 1).join(VARYING), words.slice(mark + 1).join(VARYING)];
    const within = { field: this.#field, code, before, after, amounts: isNumber ? amounts : null };
    const codes = new FieldCodes(`${before}<${mark}>${after}`, false, isNumber ? ValueType.DOUBLE : ValueType.STRING, undefined, within);
    return { codes, numbers: isNumber ? new NumberCounts() : null };
  }

  #add(code: number): void {
    const words = literalsOf(this.#field.shapeOf(code));
    const literals = words.slice(0, -1).map(({ length }) => length);
    const parts: Part[] = [];
    for (let mark = 0; mark < literals.length && parts.length < MOST_MARKS; mark++)
      if (!NO_VALUES.test(words[mark] as string)) parts.push({ mark, amounts: new Amounts(), field: null });
    if (parts.length === 0) return;
    const spans = new Uint32Array(2 * ((parts.at(-1) as Part).mark + 1));
    const shape = { code, words, literals, parts, spans, entries: 0, first: 0 };
    this.#shapes.set(code, shape);
    this.#shapeOf[code] = shape;
  }

  /** Sorts the entries by their shapes. @returns the shapes that there are */
  #sort(codes: Uint16Array, count: number): Shape[] {
    const found: Shape[] = [];
    for (let i = 0; i < count; i++) {
      const shape = this.#shapeOf[codes[i] as number];
      if (shape !== undefined && shape.entries++ === 0) found.push(shape);
    }
    if (this.#order.length < count) this.#order = new Uint32Array(count);
    let first = 0;
    for (const shape of found) {
      shape.first = first;
      first += shape.entries;
      shape.entries = 0;
    }
    for (let i = 0; i < count; i++) {
      const shape = this.#shapeOf[codes[i] as number];
      if (shape !== undefined) this.#order[shape.first + shape.entries++] = i;
    }
    return found;
  }

  #reserve(places: number, rows: number): void {
    if (this.#rows.length < rows) this.#rows = new Uint32Array(rows);
    if (this.#room >= places) return;
    this.#room = places;
    this.#starts = new Uint32Array(places);
    this.#ends = new Uint32Array(places);
    this.#numbers = new Float64Array(places);
  }
}

/** End of an address without its port; of other words, their end. */
function endOfAddress(bytes: Uint8Array, from: number, to: number): number {
  let points = 0;
  for (let at = from; at < to; at++) {
    if (bytes[at] === POINT) points++;
    else if (bytes[at] === COLON) return points === POINTS_OF_ADDRESS ? at : to;
  }
  return to;
}

function constantOf(field: ComparedField | null): string | null {
  if (field === null || field.codes.mode === 'none') return null;
  const { codes } = field;
  let [most, sum, best] = [0, 0, 0];
  const [a, b] = [codes.counts.sums(0, codes.known), codes.counts.sums(1, codes.known)];
  for (const [code, one] of a.entries()) {
    const count = one + (b[code] as number);
    sum += count;
    if (count > most) [most, best] = [count, code];
  }
  return sum > 0 && most >= CONSTANT * sum ? codes.textOf(best) : null;
}
