import type { FieldFacts, FieldValue } from '../../api/overview-types.ts';
import type { FieldColumn } from '../../message/batch/columns.ts';
import { ValueType } from '../../message/types.ts';
import { typeFacts } from '../../message/value-types.ts';
import { NumberTally } from './number-tally.ts';
import { countedText, PARTS, ValueTally, type Counted } from './value-tally.ts';

/** The part of the time of a row that is not counted. */
export const NO_PART = 255;

type CountedType = FieldFacts['types'][number]['type'];

/** Counts the values of one field, or of one header. */
export class FieldTally {
  readonly name: string;
  readonly isHeader: boolean;
  readonly #room: number;
  readonly #counts = new Uint32Array(PARTS);
  readonly #types = new Map<CountedType, number>();
  #texts: ValueTally<string> | null = null;
  #numbers: NumberTally | null = null;
  #representation: string | null = null;

  /** @param room different values that are kept */
  constructor(name: string, isHeader: boolean, room: number) {
    this.name = name;
    this.isHeader = isHeader;
    this.#room = room;
  }

  get records(): number {
    return this.#counts.reduce((sum, count) => sum + count, 0);
  }

  /**
   * Counts a column of a batch.
   * @param parts the part of the time of each row, or `NO_PART`
   * @param seen rows that were counted in another column of this name; null: there is none
   */
  addColumn(column: FieldColumn, parts: Uint8Array, seen: Uint8Array | null): void {
    this.#representation ??= column.representation || null;
    const { rows, offsets } = column;
    const add = this.#adder(column);
    const entries = rows?.length ?? parts.length;
    let values = 0;
    for (let entry = 0; entry < entries; entry++) {
      const row = rows === null ? entry : (rows[entry] as number);
      const part = parts[row] as number;
      if (part === NO_PART) continue;
      const to = offsets === null ? entry + 1 : (offsets[entry + 1] as number);
      for (let at = offsets === null ? entry : (offsets[entry] as number); at < to; at++, values++) add(at, part);
      if (seen !== null && seen[row] === 1) continue;
      if (seen !== null) seen[row] = 1;
      this.#counts[part] = (this.#counts[part] as number) + 1;
    }
    this.#addType(typeFacts(column.valueType).counted, values);
  }

  /** Counts a value that all rows have. */
  addConstant(value: string | number, counts: Uint32Array): void {
    if (typeof value === 'string') this.#textTally.addAll(countedText(value), counts);
    else this.#numberTally.values.addAll(value, counts);
    for (let part = 0; part < PARTS; part++) this.#counts[part] = (this.#counts[part] as number) + (counts[part] as number);
    this.#addType(
      typeof value === 'string' ? 'string' : 'number',
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  /** The facts so far. @param limit values that are told */
  facts(limit: number): FieldFacts {
    const [texts, numbers] = [this.#texts, this.#numbers?.values];
    const values = [...(texts?.top(limit) ?? []), ...(numbers?.top(limit) ?? [])].map(valueOf);
    return {
      name: this.name,
      isHeader: this.isHeader,
      types: [...this.#types].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count),
      representation: this.#representation,
      records: this.records,
      distinct: (texts?.distinct ?? 0) + (numbers?.distinct ?? 0),
      isDistinctExact: (texts?.isExact ?? true) && (numbers?.isExact ?? true),
      values: (texts && numbers ? values.sort((a, b) => b.count - a.count) : values).slice(0, limit),
      numbers: this.#numbers?.facts() ?? null,
      counts: [...this.#counts],
    };
  }

  get #textTally(): ValueTally<string> {
    return (this.#texts ??= new ValueTally(this.#room));
  }

  get #numberTally(): NumberTally {
    return (this.#numbers ??= new NumberTally(this.#room));
  }

  #addType(type: CountedType, count: number): void {
    if (count > 0) this.#types.set(type, (this.#types.get(type) ?? 0) + count);
  }

  /** Adds one value of a column. */
  #adder(column: FieldColumn): (at: number, part: number) => void {
    switch (column.valueType) {
      case ValueType.STRING: {
        const { text, starts, ends } = column.values;
        const tally = this.#textTally;
        return (at, part) => tally.add(countedText(text.slice(starts[at], ends[at])), part);
      }
      case ValueType.BYTES: {
        const { bytes, starts, ends } = column.values;
        const tally = this.#textTally;
        return (at, part) => tally.add(countedText(Buffer.from(bytes.subarray(starts[at], ends[at])).toString('hex')), part);
      }
      case ValueType.INTEGER: {
        const { values } = column;
        const tally = this.#numberTally;
        return (at, part) => tally.add(Number(values[at]), part);
      }
      case ValueType.DOUBLE: {
        const { values } = column;
        const tally = this.#numberTally;
        return (at, part) => tally.add(values[at] as number, part);
      }
      case ValueType.BOOL: {
        const { values } = column;
        const tally = this.#textTally;
        return (at, part) => tally.add(values[at] === 1 ? 'true' : 'false', part);
      }
    }
  }
}

const valueOf = ({ key, ...counts }: Counted<string | number>): FieldValue => ({ value: String(key), ...counts });
