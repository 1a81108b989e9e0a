/** The move of an item: places up (above 0) or down, or `new` when it was not in the list. */
export type RankChange = number | 'new';

interface Snapshot {
  readonly at: number;
  readonly ranks: ReadonlyMap<string, number>;
}

/** Milliseconds over which moves are counted. */
const RANK_SPAN_MS = 60_000;
/** Least milliseconds between two kept rankings. */
const STEP_MS = 5_000;

/** Rankings of one list over the last minute. */
export class RankHistory {
  #snapshots: Snapshot[] = [];
  /** The last time that the list was being made. */
  #madeAt = -Infinity;

  /**
   * Takes a ranking and says how its items moved within the last minute. Without an earlier ranking nothing has moved.
   * @param at milliseconds of a clock that never goes back
   * @param made false: it comes from records that are being read at once, so that its moves say nothing about time
   */
  changes(items: readonly string[], at: number, made = true): Map<string, RankChange> {
    const ranks = new Map(items.map((item, rank) => [item, rank]));
    if (!made) this.#madeAt = at;
    // The last records may come a little after all are read.
    if (at - this.#madeAt < STEP_MS) this.#snapshots = [];
    const last = this.#snapshots.at(-1);
    if (last === undefined || at - last.at >= STEP_MS) this.#snapshots.push({ at, ranks });
    // The first ranking is the latest one that is old enough.
    while ((this.#snapshots[1]?.at ?? Infinity) <= at - RANK_SPAN_MS) this.#snapshots.shift();
    const before = this.#snapshots[0]?.ranks ?? ranks;
    const changes = new Map<string, RankChange>();
    for (const [item, rank] of ranks) {
      const old = before.get(item);
      if (old === undefined) changes.set(item, 'new');
      else if (old !== rank) changes.set(item, old - rank);
    }
    return changes;
  }
}

/** The histories of lists by their keys. */
export class RankHistories {
  readonly #histories = new Map<string, RankHistory>();

  changes(key: string, items: readonly string[], at: number, made: boolean): Map<string, RankChange> {
    const history = this.#histories.get(key) ?? new RankHistory();
    this.#histories.set(key, history);
    return history.changes(items, at, made);
  }
}
