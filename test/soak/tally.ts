/** A record as the writer made it: the log that it stands in, and its number there. */
export interface RecordId {
  readonly log: string;
  readonly number: number;
}

const RECORD = /^(\w+) (\d+) (.*) end$/;

/** The text of a record: its padding makes lengths differ, and its last word shows that it is whole. */
export const recordText = (log: string, number: number): string => `${log} ${number} ${'.'.repeat(20 + ((number * 37) % 120))} end`;

/** Reads the text of a record; null: it is not whole. */
export function readRecord(text: string): RecordId | null {
  const [, log, digits] = RECORD.exec(text) ?? [];
  if (log === undefined || digits === undefined) return null;
  const number = Number(digits);
  return text === recordText(log, number) ? { log, number } : null;
}

/** The figures of one output. */
export interface TallyFigures {
  readonly records: number;
  readonly lost: number;
  /** Times that a record came again, … */
  readonly repeated: number;
  /** … and of these the most between two kills. */
  readonly mostAfterOneKill: number;
  /** Records that came for the first time behind a later one of their log. */
  readonly outOfOrder: number;
  /** Texts that are no whole record. */
  readonly broken: number;
}

/** Counts what an output has delivered, record by record. */
export class Tally {
  /** For each record of a log: 1 when it has come. */
  readonly #seen = new Map<string, Uint8Array>();
  readonly #highest = new Map<string, number>();
  readonly #byKill = new Map<number, number>();
  #distinct = 0;
  #outOfOrder = 0;
  #broken = 0;

  /** Number of different records. */
  get distinct(): number {
    return this.#distinct;
  }

  /** @param kill number of the kills before */
  count(text: string, kill: number): void {
    const record = readRecord(text);
    if (record === null) {
      this.#broken++;
      return;
    }
    const { log, number } = record;
    const seen = this.#roomFor(log, number);
    if (seen[number] === 0) this.#first(log, number);
    else this.#byKill.set(kill, (this.#byKill.get(kill) ?? 0) + 1);
  }

  /** @param isWanted whether the output was to get a record @param written numbers of records by log */
  figures(written: ReadonlyMap<string, number>, isWanted: (number: number) => boolean): TallyFigures {
    let records = 0;
    let lost = 0;
    for (const [log, count] of written) {
      const seen = this.#seen.get(log);
      for (let number = 0; number < count; number++) {
        if (!isWanted(number)) continue;
        records++;
        if ((seen?.[number] ?? 0) === 0) lost++;
      }
    }
    const kills = [...this.#byKill.values()];
    return {
      records,
      lost,
      repeated: kills.reduce((sum, count) => sum + count, 0),
      mostAfterOneKill: Math.max(0, ...kills),
      outOfOrder: this.#outOfOrder,
      broken: this.#broken,
    };
  }

  #first(log: string, number: number): void {
    (this.#seen.get(log) as Uint8Array)[number] = 1;
    this.#distinct++;
    const highest = this.#highest.get(log) ?? -1;
    if (number < highest) this.#outOfOrder++;
    else this.#highest.set(log, number);
  }

  #roomFor(log: string, number: number): Uint8Array {
    const seen = this.#seen.get(log) ?? new Uint8Array(1024);
    if (number < seen.length && this.#seen.has(log)) return seen;
    const grown = new Uint8Array(Math.max(seen.length, 2 ** Math.ceil(Math.log2(number + 1))));
    grown.set(seen);
    this.#seen.set(log, grown);
    return grown;
  }
}
