import { RULE_FIELD, RULE_LEVEL_FIELD, RULE_LEVELS } from '../../api/rule-fields.ts';
import type { RuleInfo } from '../../api/rule-types.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import type { LaterColumns } from '../../store/later-columns.ts';
import type { Segment } from '../../store/segment.ts';
import { ValueType } from '../../message/types.ts';
import type { Found, RuleFacts } from './rule-protocol.ts';

/** Hits that mark their records: of a rule, and of all. Those beyond are counted. */
export interface HitLimits {
  readonly ofRule: number;
  readonly ofAll: number;
}

const USUAL: HitLimits = { ofRule: 250_000, ofAll: 1_000_000 };
/** Records of a chunk, and rules that a hit can name. */
const [CHUNK, RULES] = [4096, 65_536];
const NONE: readonly FieldColumn[] = [];

/** Hits of neighbouring records, as row by rule. */
interface Chunk {
  readonly hits: number[];
  isSorted: boolean;
}

interface Counts {
  hits: number;
  marked: number;
  first: number;
  last: number;
  full: boolean;
}

/** The hits of rules, by their records, with bounded memory: later columns of the record store. */
export class HitBook implements LaterColumns {
  readonly #rules: readonly RuleFacts[];
  readonly #limits: HitLimits;
  readonly #counts: readonly Counts[];
  readonly #chunks = new Map<number, Chunk>();
  readonly #columns = new WeakMap<Segment, { readonly hits: number; readonly columns: readonly FieldColumn[] }>();
  readonly #titles: Texts;
  readonly #levels: Texts;
  #hits = 0;
  #marked = 0;

  constructor(rules: readonly RuleFacts[], limits = USUAL) {
    this.#rules = rules;
    this.#limits = limits;
    this.#counts = rules.map(() => ({ hits: 0, marked: 0, first: Infinity, last: -Infinity, full: false }));
    this.#titles = textsOf(rules.map(({ title }) => title));
    this.#levels = textsOf(RULE_LEVELS);
  }

  /** All hits, also those that mark no record. */
  get hits(): number {
    return this.#hits;
  }

  /** The rules with their hits, in their order. @param off keys of those that are not run */
  infos(off: ReadonlySet<string>): RuleInfo[] {
    return this.#rules.map((rule, i) => {
      const { hits, marked, first, last, full } = this.#counts[i] as Counts;
      return { ...rule, on: !off.has(rule.key), hits, marked, first: hits === 0 ? null : first, last: hits === 0 ? null : last, full };
    });
  }

  /** @param firstId number of the record that is the first row */
  add(firstId: number, { rows, rules, times, full }: Found): void {
    for (const rule of full) (this.#counts[rule] as Counts).full = true;
    for (let i = 0; i < rows.length; i++) this.#add(firstId + (rows[i] as number), rules[i] as number, times[i] as number);
  }

  of(segment: Segment): readonly FieldColumn[] {
    const { firstId, length } = segment;
    const chunks = this.#chunksOf(firstId, length);
    if (chunks.length === 0) return NONE;
    const hits = chunks.reduce((sum, [, chunk]) => sum + chunk.hits.length, 0);
    const known = this.#columns.get(segment);
    if (known?.hits === hits) return known.columns;
    const columns = this.#make(firstId, length, chunks);
    this.#columns.set(segment, { hits, columns });
    return columns;
  }

  #add(id: number, rule: number, time: number): void {
    const counts = this.#counts[rule] as Counts;
    counts.hits++;
    this.#hits++;
    counts.first = Math.min(counts.first, time);
    counts.last = Math.max(counts.last, time);
    if (counts.marked >= this.#limits.ofRule || this.#marked >= this.#limits.ofAll) return;
    counts.marked++;
    this.#marked++;
    const number = Math.floor(id / CHUNK);
    const chunk = this.#chunks.get(number) ?? { hits: [], isSorted: true };
    this.#chunks.set(number, chunk);
    const hit = (id % CHUNK) * RULES + rule;
    chunk.isSorted &&= hit >= (chunk.hits.at(-1) ?? -1);
    chunk.hits.push(hit);
  }

  #chunksOf(firstId: number, length: number): [number, Chunk][] {
    const found: [number, Chunk][] = [];
    for (let number = Math.floor(firstId / CHUNK); number * CHUNK < firstId + length; number++) {
      const chunk = this.#chunks.get(number);
      if (chunk !== undefined) found.push([number, chunk]);
    }
    return found;
  }

  #make(firstId: number, length: number, chunks: readonly (readonly [number, Chunk])[]): readonly FieldColumn[] {
    const rows: number[] = [];
    const offsets: number[] = [];
    const rules: number[] = [];
    const levels: number[] = [];
    for (const [number, chunk] of chunks) {
      if (!chunk.isSorted) chunk.hits.sort((a, b) => a - b);
      chunk.isSorted = true;
      for (const hit of chunk.hits) {
        const row = number * CHUNK + Math.floor(hit / RULES) - firstId;
        if (row < 0 || row >= length) continue;
        const rule = hit % RULES;
        const level = RULE_LEVELS.indexOf((this.#rules[rule] as RuleFacts).level);
        if (rows.at(-1) !== row) {
          rows.push(row);
          offsets.push(rules.length);
          levels.push(level);
        } else levels[levels.length - 1] = Math.max(levels.at(-1) as number, level);
        rules.push(rule);
      }
    }
    if (rows.length === 0) return NONE;
    offsets.push(rules.length);
    const base = { representation: null, valueType: ValueType.STRING, rows: Uint32Array.from(rows) } as const;
    return [
      { ...base, name: RULE_FIELD, offsets: Uint32Array.from(offsets), values: piecesOf(this.#titles, rules) },
      { ...base, name: RULE_LEVEL_FIELD, offsets: null, values: piecesOf(this.#levels, levels) },
    ];
  }
}

/** Texts in one, with the place at which each begins. */
interface Texts {
  readonly text: string;
  readonly starts: readonly number[];
}

function textsOf(list: readonly string[]): Texts {
  const starts = [0];
  for (const text of list) starts.push((starts.at(-1) as number) + text.length);
  return { text: list.join(''), starts };
}

const piecesOf = ({ text, starts }: Texts, list: readonly number[]): { text: string; starts: Uint32Array; ends: Uint32Array } => ({
  text,
  starts: Uint32Array.from(list, (i) => starts[i] as number),
  ends: Uint32Array.from(list, (i) => starts[i + 1] as number),
});
