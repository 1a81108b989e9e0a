import type { TickKind, Ticks } from '../../../../../engine/api/types.ts';

/** Pixels of one column of the strip: marks over hits of rules, hits of the search, and errors over warnings. */
export const COLUMN_PX = 5;
export const STRIP_PX = 3 * COLUMN_PX + 1;

const COLUMNS: readonly (readonly TickKind[])[] = [['rule', 'mark'], ['hit'], ['warning', 'error']];
/** A single record among millions must be seen. */
const SHORTEST_PX = 2;
/** Opacity of a tick in a part with few such records: where ticks stand alone, and where nearly all parts have one, so that bursts stand out. */
const WEAKEST = { sparse: 0.55, dense: 0.15 };
/** Pixels beside a tick at which a click still means it. */
const REACH_PX = 4;

/** One rectangle of the strip. */
export interface Band {
  readonly kind: TickKind;
  readonly column: number;
  readonly y: number;
  readonly length: number;
  /** Opacity. */
  readonly strength: number;
}

/** The rectangles that show these ticks on a strip of so many pixels. */
export function bandsOf(ticks: Ticks, height: number): Band[] {
  return COLUMNS.flatMap((kinds, column) => kinds.flatMap((kind) => bandsOfKind(ticks[kind], kind, column, height)));
}

function bandsOfKind(shares: readonly number[], kind: TickKind, column: number, height: number): Band[] {
  const step = height / Math.max(1, shares.length);
  const crowd = shares.filter((share) => share > 0).length / Math.max(1, shares.length);
  const weakest = WEAKEST.sparse + (WEAKEST.dense - WEAKEST.sparse) * crowd;
  // A root lets a rare one be seen; among many it would make all of them alike.
  const power = 0.5 + crowd;
  return shares.flatMap((share, bucket) => {
    if (share === 0) return [];
    // Ticks that lay over one another would add up to one solid bar.
    const isFollowed = (shares[bucket + 1] ?? 0) > 0;
    const length = isFollowed ? Math.min(step, 6) : Math.max(SHORTEST_PX, Math.min(step, 6));
    return [{ kind, column, y: Math.min(height - length, bucket * step), length, strength: weakest + (1 - weakest) * share ** power }];
  });
}

/** The kind of the tick at a point of the strip, and its place in the list, from 0 to 1; null: there is none. */
export function kindAt(ticks: Ticks, x: number, y: number, height: number): { readonly kind: TickKind; readonly at: number } | null {
  // Errors lie over warnings, and marks over hits of rules.
  const kinds = (COLUMNS[Math.min(COLUMNS.length - 1, Math.max(0, Math.floor(x / COLUMN_PX)))] ?? []).toReversed();
  for (const kind of kinds) {
    const shares = ticks[kind];
    const bucket = nearest(shares, (y / height) * shares.length, (REACH_PX / height) * shares.length);
    if (bucket !== null) return { kind, at: bucket / shares.length };
  }
  return null;
}

/** The bucket with something in it that is nearest to a place, within reach. */
function nearest(shares: readonly number[], place: number, reach: number): number | null {
  let best: number | null = null;
  const far = (bucket: number): number => Math.max(0, bucket - place, place - bucket - 1);
  const last = Math.min(shares.length - 1, Math.floor(place + reach));
  for (let bucket = Math.max(0, Math.floor(place - reach) - 1); bucket <= last; bucket++) {
    if ((shares[bucket] ?? 0) > 0 && far(bucket) <= reach && (best === null || far(bucket) < far(best))) best = bucket;
  }
  return best;
}
