import type { Part } from './records.ts';
import type { Run } from './merge.ts';

/** A record that is shown. */
export interface Shown {
  readonly part: Part;
  readonly row: number;
  /** Records that are not shown stand between it and the one before. */
  readonly isApart: boolean;
}

/** The records that are selected, and so many before and after each, as they come. */
export async function* withNeighbours(runs: AsyncIterable<Run>, count: number): AsyncGenerator<Shown[]> {
  const before: { readonly part: Part; readonly row: number }[] = [];
  let after = 0;
  let isApart = false;
  let isFirst = true;
  for await (const { part, from, to } of runs) {
    const shown: Shown[] = [];
    const show = (one: Pick<Shown, 'part' | 'row'>): void => {
      shown.push({ ...one, isApart: isApart && !isFirst });
      isApart = isFirst = false;
    };
    for (let at = from; at < to; at++) {
      const row = part.rows[at] as number;
      const isHit = part.hits?.has(row) ?? true;
      if (isHit || after > 0) {
        before.splice(0).forEach(show);
        show({ part, row });
        after = isHit ? count : after - 1;
      } else if (before.push({ part, row }) > count) {
        before.shift();
        isApart = true;
      }
    }
    if (shown.length > 0) yield shown;
  }
}

/** The first records. */
export async function* firstOf(pages: AsyncIterable<Shown[]>, count: number): AsyncGenerator<Shown[]> {
  let left = count;
  if (left === 0) return;
  for await (const page of pages) {
    yield page.slice(0, left);
    left -= page.length;
    if (left <= 0) return;
  }
}

/** The last records, once all are there. */
export async function* lastOf(pages: AsyncIterable<Shown[]>, count: number): AsyncGenerator<Shown[]> {
  let held: Shown[] = [];
  for await (const page of pages) {
    held.push(...page);
    if (held.length > 2 * count) held = held.slice(held.length - count);
  }
  const last = held.slice(Math.max(0, held.length - count));
  if (last.length > 0) yield last.map((one, at) => (at === 0 ? { ...one, isApart: false } : one));
}

/** The records of the one, and then those of the other. */
export async function* oneAfterOther(first: AsyncIterable<Shown[]>, then: () => AsyncIterable<Shown[]>): AsyncGenerator<Shown[]> {
  yield* first;
  yield* then();
}
