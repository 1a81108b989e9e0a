/** The largest step of the times of a side, and the time before it. */
interface Step {
  by: number;
  at: number;
  source: number;
}

const NONE = (): [Step, Step] => [
  { by: 0, at: 0, source: 0 },
  { by: 0, at: 0, source: 0 },
];

/** Follows the times of the records as they arrived, stream by stream: where they go back, and where nothing comes for long. */
export class SideClock {
  readonly back = NONE();
  readonly gap = NONE();
  readonly #last = new Map<string, { side: number; time: number }>();

  /** Follows the rows of one stream. @param sides 1: of A, 2: of B, 0: of none */
  add(source: number, stream: number, times: Float64Array, sides: Uint8Array, from: number, to: number): void {
    const key = `${source}/${stream}`;
    let known = this.#last.get(key);
    if (known === undefined) this.#last.set(key, (known = { side: 0, time: 0 }));
    let { side: before, time: last } = known;
    for (let row = from; row < to; row++) {
      const side = sides[row] as number;
      if (side === 0) continue;
      const time = times[row] as number;
      if (side === before) {
        const by = time - last;
        const step = by < 0 ? this.back[(side - 1) as 0 | 1] : this.gap[(side - 1) as 0 | 1];
        if (Math.abs(by) > step.by) {
          step.by = Math.abs(by);
          step.at = last;
          step.source = source;
        }
      }
      before = side;
      last = time;
    }
    known.side = before;
    known.time = last;
  }
}
