/** The header of a graph's column: name, unit and aggregation. */

/** The way in which values of a column are combined over time and over hosts. */
export type Aggregation = 'sum' | 'min' | 'max' | 'none';

export interface ColumnHeader {
  /** At most 15 letters, digits and underscores. */
  readonly name: string;
  /** At most 7 letters, digits, `/`, `*` and underscores. */
  readonly unit: string;
  readonly aggregation: Aggregation;
}

const NAME_LENGTH = 15;
const UNIT_LENGTH = 7;

/** Makes a header valid: cuts long texts, and replaces each byte (UTF-8) that is not allowed by an underscore. */
export function columnHeader(name: string, unit: string, aggregation: Aggregation): ColumnHeader {
  return { name: cleaned(name, /[a-z\d]/i, NAME_LENGTH), unit: cleaned(unit, /[a-z\d/*]/i, UNIT_LENGTH), aggregation };
}

export function isAggregation(value: unknown): value is Aggregation {
  return value === 'sum' || value === 'min' || value === 'max' || value === 'none';
}

function cleaned(text: string, allowed: RegExp, length: number): string {
  let result = '';
  // Each code unit is a byte at least.
  for (const character of text.slice(0, length)) result += allowed.test(character) ? character : '_'.repeat(utf8Length(character));
  return result.slice(0, length);
}

function utf8Length(character: string): number {
  const code = character.codePointAt(0) as number;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}
