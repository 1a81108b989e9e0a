import type { DifferenceCause } from '../../api/difference-types.ts';
import { NO_CODE, sumOf } from './block-counts.ts';
import { byScore } from './candidates.ts';
import type { Distinct } from './overlaps.ts';
import type { FieldCodes } from './field-codes.ts';
import { filterOf, nameOf } from './words.ts';

/** A value explains a difference if so many of its records have it, and so many times the share of the others. */
const [LEAST_SHARE, LEAST_LIFT, MOST_CAUSES] = [0.5, 2, 2];
/** A value that all of the records have and hardly any other is the same set of records. */
const SAME = 0.95;

/** Counts the values that the records of each row have, in the side that has more of them. */
export class CauseCounts {
  readonly #rows: readonly Distinct[];
  readonly #counts = new Map<FieldCodes, Uint32Array>();

  constructor(rows: readonly Distinct[]) {
    this.#rows = rows;
  }

  /**
   * Counts the entries of a column.
   * @param masks the rows of the difference that each record is in, in the side that counts
   */
  add(field: FieldCodes, codes: Uint16Array, count: number, rows: Uint32Array | null, masks: Uint16Array): void {
    const width = this.#rows.length;
    let counts = this.#counts.get(field);
    if (counts === undefined || counts.length < field.size * width) {
      const more = new Uint32Array(field.size * width * 2);
      if (counts !== undefined) more.set(counts);
      this.#counts.set(field, (counts = more));
    }
    for (let i = 0; i < count; i++) {
      let mask = masks[rows === null ? i : (rows[i] as number)] as number;
      if (mask === 0) continue;
      const code = codes[i] as number;
      if (code === NO_CODE) continue;
      for (let row = 0; mask !== 0; row++, mask >>>= 1)
        if ((mask & 1) === 1) counts[code * width + row] = (counts[code * width + row] as number) + 1;
    }
  }

  /** Causes of a row. @param records of each side @param isChanged whether a value is itself among the differences that the row tells */
  of(row: number, records: readonly [number, number], isChanged: (field: FieldCodes, code: number) => boolean): DifferenceCause[] {
    const { candidate } = this.#rows[row] as Distinct;
    const side = candidate.lift > 0 ? 1 : 0;
    const own = side === 1 ? candidate.b : candidate.a;
    const others = records[side] - own;
    if (own === 0 || others <= 0) return [];
    const found: (DifferenceCause & { readonly score: number })[] = [];
    for (const [field, counts] of this.#counts) {
      if (field === candidate.field || field.name === candidate.field.name) continue;
      let best: { code: number; share: number; rest: number; score: number } | null = null;
      for (let code = 0; code < field.known; code++) {
        const both = counts[code * this.#rows.length + row] ?? 0;
        const share = both / own;
        if (share < LEAST_SHARE || isChanged(field, code)) continue;
        const all = sumOf(field.counts.of(code), side);
        const rest = Math.max(0, all - both) / others;
        if (share < LEAST_LIFT * rest || (share > SAME && both > SAME * all && field.mode !== 'values')) continue;
        const score = Math.sqrt(share - rest) * Math.min(7, Math.log2((share + 1e-9) / (rest + 0.5 / others)));
        if (best === null || score > best.score) best = { code, share, rest, score };
      }
      if (best === null) continue;
      const { code, share, rest, score } = best;
      const set = { codes: [code], pattern: null };
      found.push({ text: nameOf(field, set), filter: filterOf(field, set), share, others: rest, score });
    }
    return found
      .sort(byScore)
      .slice(0, MOST_CAUSES)
      .map(({ text, filter, share, others: rest }) => ({ text, filter, share, others: rest }));
  }
}
