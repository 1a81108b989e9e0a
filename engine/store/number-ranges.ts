import type { KnownNumbers, KnownValues } from '../matcher/outlook.ts';
import type { MessageBatch } from '../message/batch/batch.ts';
import { ValueType } from '../message/types.ts';
import { NO_SEVERITY, SEVERITIES, type TimeSummary } from './summary.ts';

/** The numbers of fields that have one in each record that has them at all, by name. */
export type NumberRanges = ReadonlyMap<string, KnownNumbers>;

export const NO_RANGES: NumberRanges = new Map();

/** Different numbers that are remembered one by one. */
const MOST_FEW = 16;
/** Fields of which numbers are remembered. */
const MOST_FIELDS = 32;

/** The numbers that a segment has, so that filters need not look at those without the one that is looked for. */
export function numberRanges({ fields }: MessageBatch): NumberRanges {
  const ranges = new Map<string, KnownNumbers>();
  const names = new Set<string>();
  for (const { name, valueType, offsets, values } of fields) {
    // A second column of a name has other types of values, or further ones.
    if (names.has(name)) ranges.delete(name);
    else if (valueType === ValueType.DOUBLE && offsets === null && ranges.size < MOST_FIELDS) {
      const range = rangeOf(values);
      if (range !== null) ranges.set(name, range);
    }
    names.add(name);
  }
  return ranges;
}

/** null: one of them is NaN, which is in no range. */
function rangeOf(values: Float64Array): KnownNumbers | null {
  const few: number[] = [];
  let [low, high, last] = [Infinity, -Infinity, NaN];
  for (const value of values) {
    if (value === last) continue;
    last = value;
    if (Number.isNaN(value)) return null;
    if (value < low) low = value;
    if (value > high) high = value;
    if (few.length <= MOST_FEW && !few.includes(value)) few.push(value);
  }
  return { low, high, few: few.length > MOST_FEW ? null : few };
}

/** Facts about the values of a segment that are known without its records. */
export function knownValues({ summary, numbers }: { readonly summary: TimeSummary; readonly numbers: NumberRanges }): KnownValues {
  return {
    header: (variable) => (variable === 'Severity' ? severitiesOf(summary) : undefined),
    field: (name) => numbers.get(name),
  };
}

function severitiesOf({ cells }: TimeSummary): KnownNumbers | undefined {
  const few = new Set<number>();
  for (let i = 0; i < cells.length; i += 2) few.add((cells[i] as number) % SEVERITIES);
  // It stands for numbers out of range as well.
  if (few.has(NO_SEVERITY)) return undefined;
  return { low: Math.min(...few), high: Math.max(...few), few: [...few] };
}
