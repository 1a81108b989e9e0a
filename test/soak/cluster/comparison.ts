import { readRecord } from '../tally.ts';
import type { StoredRecord } from './lake.ts';

/** Records that were written, beside those in the lake once repeats are removed by their Uuids. */
export interface Comparison {
  readonly lost: number;
  /** Records that are there more than once even then. */
  readonly doubled: number;
  /** Records by the fields that they have; `none`: those whose fields are neither the former nor the present ones. */
  readonly fields: { readonly older: number; readonly newer: number; readonly none: number };
  /** The ranges of records that are lost, in words. */
  readonly missing: readonly string[];
}

/** @param written numbers of records by log */
export function compare(records: readonly StoredRecord[], written: ReadonlyMap<string, number>): Comparison {
  const seen = new Map([...written].map(([log, count]) => [log, new Uint8Array(count)]));
  const fields = { older: 0, newer: 0, none: 0 };
  let doubled = 0;
  for (const { text, fields: kind } of records) {
    const record = readRecord(text);
    const numbers = record === null ? undefined : seen.get(record.log);
    if (record === null || numbers === undefined) throw new Error(`a record is torn: ${text}`);
    if (numbers[record.number] === 1) doubled++;
    numbers[record.number] = 1;
    fields[kind ?? 'none']++;
  }
  const lost = [...seen.values()].reduce((sum, numbers) => sum + numbers.filter((is) => is === 0).length, 0);
  return { lost, doubled, fields, missing: [...seen].flatMap(([log, numbers]) => gapsIn(log, numbers)) };
}

/** The ranges of numbers of a log that were not seen. */
function gapsIn(log: string, seen: Uint8Array): string[] {
  const gaps: string[] = [];
  for (let from = seen.indexOf(0); from !== -1;) {
    const behind = seen.indexOf(1, from);
    const end = behind === -1 ? seen.length : behind;
    gaps.push(`${log} ${from} to ${end - 1}`);
    from = behind === -1 ? -1 : seen.indexOf(0, end);
  }
  return gaps;
}
