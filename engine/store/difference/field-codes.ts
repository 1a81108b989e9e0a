import { Drain } from '../../../plugins/modules/drain.ts';
import { logWords } from '../../../plugins/modules/log_words.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import type { Amounts } from './amounts.ts';
import { BlockCounts, NO_CODE } from './block-counts.ts';
import { doublesOf } from './number-counts.ts';
import { ShapeTemplates } from './shape-templates.ts';
import { SHAPE_BYTES, shapeInto, shapeText } from './shapes.ts';
import { LONGEST, TextCodes, wordsOf } from './text-codes.ts';
import type { TextParts } from './text-parts.ts';

/** Different values of a field that are told apart, those of numbers, shapes of sentences, and patterns. */
const [ROOM, NUMBER_ROOM, SHAPE_ROOM, MOST_PATTERNS] = [8192, 512, 16_384, 2000];
/** Patterns that are counted of shapes for which there is no room; those that come after them replaced others. */
const MOST_IDS = 16_384;
/** Different texts that are told apart in a field with frequent ones among them, while there is room for such fields. */
const WIDE_ROOM = 32_768;
/** Records for each value from which on the rare ones of very many values are forgotten and the others kept. */
const REPEATING = 4;
/** Share of the records that a value has which is kept for that. */
const FREQUENT = 0.002;
/** Times that rare values are forgotten before new ones are numbered rarely, and how rarely. */
const [MOST_LOSSES, RARELY] = [12, 16];
/** Values of so many words are sentences. */
const SENTENCE_WORDS = 4;
const PATTERNS = { similarity: 0.5, prefix: 1, maxPatterns: MOST_PATTERNS };
/** Values for each shape, from which on they are compared by shape. */
const FEW_SHAPES = 8;
/** Values of which it is told whether they are sentences. */
const PROBES = 200;

/** A set of codes that is compared: one, or the shapes of a pattern. */
export interface CodeSet {
  readonly codes: readonly number[];
  /** Number of the pattern; null: it is one code. */
  readonly pattern: number | null;
}

/** `values`: as they are. `shapes`: numbers and ids in them left out. `patterns`: the same, and sentences by the patterns of their words. `none`: nearly all differ. */
export type CodeMode = 'values' | 'shapes' | 'patterns' | 'none';

/** A place in the texts of one shape that a field is. */
export interface Within {
  /** The field of the texts, and the code of the shape. */
  readonly field: FieldCodes;
  readonly code: number;
  /** The text around the place. */
  readonly before: string;
  readonly after: string;
  /** The numbers; null: the words are none. */
  readonly amounts: Amounts | null;
}

/** Fields that may still have very many texts, of all that are compared. */
export interface WideFields {
  left: number;
}

/** Numbers the values of one field of one type, and counts them by block. */
export class FieldCodes {
  readonly name: string;
  readonly isHeader: boolean;
  readonly valueType: FieldColumn['valueType'];
  readonly within: Within | null;
  mode: CodeMode;
  /** Parts of the texts that vary; null: none is looked into. */
  parts: TextParts | null = null;
  /** Times that rare values were forgotten, by how many: those that are left have at least the counts that are known. */
  #losses = 0;
  counts = new BlockCounts();
  #texts = new TextCodes();
  #templates: ShapeTemplates | null = null;
  /** Texts that are told apart. */
  #room = ROOM;
  readonly #wide: WideFields;
  readonly #numbers = new Map<number, number>();
  #values: number[] = [];
  #small = new Int16Array(1024).fill(-1);
  /** The pattern of each shape. */
  #patternOf = new Int32Array(1024);
  readonly #drain = new Drain(PATTERNS, { patterns: [], next: 1 });
  readonly #shape = Buffer.alloc(SHAPE_BYTES + 16);
  readonly #shapeWords = wordsOf(this.#shape);
  /** For each time that all values were numbered anew, the new number of each. */
  readonly #renumbered: Int32Array[] = [];

  /** @param within null: the values are those of records */
  constructor(
    name: string,
    isHeader: boolean,
    valueType: FieldColumn['valueType'],
    wide: WideFields = { left: 0 },
    within: Within | null = null,
  ) {
    this.#wide = wide;
    this.name = name;
    this.within = within;
    this.isHeader = isHeader;
    this.valueType = valueType;
    this.mode = isHeader && name === 'Payload' ? 'patterns' : 'values';
  }

  /** Rare values were forgotten: the counts of the others are at least those that are known. */
  get isLossy(): boolean {
    return this.#losses > 0;
  }

  /** Times that all values were numbered anew. */
  get age(): number {
    return this.#renumbered.length;
  }

  /** The number now of each code of an earlier age; null: they are the same. */
  codesSince(age: number): Int32Array | null {
    const [first, ...others] = this.#renumbered.slice(age);
    return first === undefined
      ? null
      : others.reduce((codes, next) => codes.map((code) => (code < 0 ? code : (next[code] as number))), first);
  }

  /** Codes so far. */
  get size(): number {
    if (this.mode === 'none') return 0;
    if (this.mode === 'patterns') return SHAPE_ROOM + Math.min(MOST_IDS, this.#drain.state.next);
    return this.#isText ? this.#texts.size : this.#values.length;
  }

  /** Value that a code stands for. */
  textOf(code: number): string {
    if (this.mode === 'patterns' && code >= SHAPE_ROOM) return this.textOfPattern(code - SHAPE_ROOM);
    if (this.valueType === ValueType.BOOL) return String(this.#values[code] === 1);
    if (!this.#isText) return `${this.#values[code]}${this.within?.amounts?.unit ?? ''}`;
    const text = this.#texts.textOf(code);
    return this.mode === 'values' ? text : shapeText(text);
  }

  /** The shape of a code, with its marks. */
  shapeOf(code: number): string {
    return this.#texts.textOf(code);
  }

  /** The number of a code of numbers. */
  numberOf(code: number): number {
    return this.#values[code] ?? NaN;
  }

  textOfPattern(pattern: number): string {
    return this.#drain.state.patterns.find(({ id }) => id === pattern)?.words.join(' ') ?? '';
  }

  /** Codes of values and shapes that are known now. */
  get known(): number {
    return this.mode === 'patterns' ? this.#texts.size : this.size;
  }

  /** The sets that are compared. */
  *sets(): Generator<CodeSet> {
    for (let code = 0; code < this.known; code++) yield { codes: [code], pattern: null };
    if (this.mode !== 'patterns') return;
    const shapes = Map.groupBy(
      Array.from({ length: this.known }, (_, code) => code),
      (code) => this.#patternOf[code] as number,
    );
    const hasOthers = this.#texts.size >= SHAPE_ROOM;
    for (const { id } of this.#drain.state.patterns) {
      const codes = [...(shapes.get(id) ?? []), ...(hasOthers && id < MOST_IDS ? [SHAPE_ROOM + id] : [])];
      if (codes.length > 1) yield { codes, pattern: id };
    }
  }

  /** Writes the code of each entry of a column, or `NO_CODE`. @param learns new values get codes */
  fill(column: FieldColumn, count: number, codes: Uint16Array, learns: boolean): void {
    for (;;) {
      const fits = this.#fill(column, count, codes, learns);
      if (fits || !learns) return;
      this.#change();
    }
  }

  /** The code of a text that all rows have. */
  codeOfText(text: string): number {
    const bytes = Buffer.from(text.slice(0, LONGEST), 'latin1');
    if (this.mode === 'patterns') return this.#patternOfBytes(bytes, 0, bytes.length);
    return this.#texts.codeOfText(text.slice(0, LONGEST), ROOM);
  }

  codeOfNumber(value: number, learns = true): number {
    if (value >= 0 && value < 1024 && (value | 0) === value) {
      const known = this.#small[value] as number;
      if (known >= 0) return known;
    } else {
      const known = this.#numbers.get(value);
      if (known !== undefined) return known;
    }
    if (!learns || this.#values.length >= NUMBER_ROOM || !Number.isFinite(value)) return -1;
    const code = this.#values.push(value) - 1;
    if (value >= 0 && value < 1024 && (value | 0) === value) this.#small[value] = code;
    else this.#numbers.set(value, code);
    return code;
  }

  get #isText(): boolean {
    return this.valueType === ValueType.STRING;
  }

  #fill(column: FieldColumn, count: number, codes: Uint16Array, learns: boolean): boolean {
    if (this.mode === 'none' || column.valueType === ValueType.BYTES) {
      codes.fill(NO_CODE, 0, count);
      return true;
    }
    const { offsets } = column;
    if (column.valueType === ValueType.STRING) {
      if (this.mode === 'values') {
        const every = this.#losses > MOST_LOSSES ? RARELY : 1;
        return this.#texts.fill(column.values, count, offsets, codes, learns ? this.#room : this.#texts.size, every);
      }
      return this.#fillShapes(column, count, codes, learns);
    }
    const values = column.valueType === ValueType.INTEGER ? doublesOf(column.values) : column.values;
    let fits = true;
    for (let i = 0; i < count; i++) {
      const at = offsets === null ? i : (offsets[i] as number);
      if (offsets !== null && at === offsets[i + 1]) {
        codes[i] = NO_CODE;
        continue;
      }
      const value = values[at] as number;
      const code = this.codeOfNumber(value, learns);
      if (code < 0 && value === value) fits = false;
      codes[i] = code < 0 ? NO_CODE : code;
    }
    return fits || !learns;
  }

  #fillShapes(column: Extract<FieldColumn, { valueType: 0 }>, count: number, codes: Uint16Array, learns: boolean): boolean {
    const { values, offsets } = column;
    const { starts, ends, latin } = values;
    const bytes = latin?.bytes ?? null;
    const words = bytes === null ? null : wordsOf(bytes);
    const templates = (this.#templates ??= new ShapeTemplates());
    const isPattern = this.mode === 'patterns';
    let fits = true;
    for (let i = 0; i < count; i++) {
      const at = offsets === null ? i : (offsets[i] as number);
      if (offsets !== null && at === offsets[i + 1]) {
        codes[i] = NO_CODE;
        continue;
      }
      let from = starts[at] as number;
      let to = ends[at] as number;
      let own = bytes;
      if (own === null) {
        own = Buffer.from(values.text.slice(from, Math.min(to, from + LONGEST)), 'latin1');
        to = own.length;
        from = 0;
      }
      const known = words === null ? -1 : templates.codeOf(words, from, to);
      const code = known >= 0 ? known : isPattern ? this.#patternOfBytes(own, from, to) : this.#shapeOfBytes(own, from, to, learns);
      codes[i] = code < 0 ? NO_CODE : code;
      if (code === -1) fits = false;
      else if (known < 0 && words !== null && code < SHAPE_ROOM) templates.learn(words, from, to, code);
    }
    return fits || isPattern;
  }

  #shapeOfBytes(bytes: Uint8Array, from: number, to: number, learns: boolean): number {
    return this.#texts.codeOf(this.#shapeWords, 0, shapeInto(bytes, from, to, this.#shape), learns ? ROOM : this.#texts.size);
  }

  /** Texts of a shape are of one pattern, which is asked for once. @returns the code of the shape, or of the pattern behind those of shapes */
  #patternOfBytes(bytes: Uint8Array, from: number, to: number): number {
    const before = this.#texts.size;
    const code = this.#texts.codeOf(this.#shapeWords, 0, shapeInto(bytes, from, to, this.#shape), SHAPE_ROOM);
    if (code >= 0 && code < before) return code;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(to - from, SHAPE_BYTES - 1)).toString('latin1');
    const { id } = this.#drain.add(logWords(text.split('\n\t')[0] as string), '', 0);
    if (code < 0) return id < MOST_IDS ? SHAPE_ROOM + id : -1;
    if (code >= this.#patternOf.length) {
      const more = new Int32Array(this.#patternOf.length * 2);
      more.set(this.#patternOf);
      this.#patternOf = more;
    }
    this.#patternOf[code] = id;
    return code;
  }

  /** There are too many different values: goes on with their shapes or patterns, without rare ones, or with none. */
  #change(): void {
    const size = this.#isText ? this.#texts.size : this.#values.length;
    if (!this.#isText || this.mode === 'shapes') return this.#end();
    const others = this.counts.sums(1, size);
    const sums = this.counts.sums(0, size).map((count, code) => count + (others[code] as number));
    const records = sums.reduce((sum, count) => sum + count, 0);
    const isFrequent = (): boolean => Math.max(...sums) >= FREQUENT * records || records >= REPEATING * size;
    if (this.#isSentences()) this.#recode('patterns', null);
    else if (this.#hasShapes(size)) this.#recode('shapes', null);
    else if (!this.isLossy && !isFrequent()) this.#end();
    else if (this.#room < WIDE_ROOM && this.#wide.left > 0) {
      this.#wide.left--;
      this.#room = WIDE_ROOM;
    } else this.#recode('values', sums);
  }

  #end(): void {
    this.mode = 'none';
    this.counts = new BlockCounts();
    this.#texts = new TextCodes();
  }

  #isSentences(): boolean {
    let words = 0;
    for (let code = 0; code < PROBES; code++) words += this.#texts.textOf(code).split(' ').length;
    return words >= SENTENCE_WORDS * PROBES;
  }

  /** Whether the values are of few shapes that say something, unlike addresses and ids. */
  #hasShapes(size: number): boolean {
    const shapes = new Set<string>();
    let telling = 0;
    for (let code = 0; code < size; code++) {
      const bytes = Buffer.from(this.#texts.textOf(code), 'latin1');
      const shape = this.#shape.toString('latin1', 0, shapeInto(bytes, 0, bytes.length, this.#shape));
      shapes.add(shape);
      if (/[a-z]/i.test(shape)) telling++;
    }
    return shapes.size * FEW_SHAPES <= size && telling * 2 > size;
  }

  /** Counts what was counted by other codes. @param sums those of the larger half stay; null: all do */
  #recode(mode: CodeMode, sums: Float64Array | null): void {
    const [texts, counts] = [this.#texts, this.counts];
    this.mode = mode;
    this.#texts = new TextCodes();
    this.counts = new BlockCounts();
    const least = sums === null ? 0 : (sums.toSorted()[sums.length >>> 1] as number);
    if (sums !== null) this.#losses += this.#room / ROOM;
    const renumbered = new Int32Array(texts.size).fill(-1);
    this.#renumbered.push(renumbered);
    for (let code = 0; code < texts.size; code++) {
      if (sums !== null && (sums[code] as number) <= least) continue;
      const text = texts.textOf(code);
      const bytes = Buffer.from(text, 'latin1');
      const next =
        mode === 'values'
          ? this.#texts.codeOfText(text, this.#room)
          : mode === 'shapes'
            ? this.#shapeOfBytes(bytes, 0, bytes.length, true)
            : this.#patternOfBytes(bytes, 0, bytes.length);
      renumbered[code] = next;
      if (next >= 0) this.counts.addAll(next, counts.of(code));
    }
  }
}
