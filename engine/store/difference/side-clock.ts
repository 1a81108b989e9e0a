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

/** The end of a stream as it is known: its last record, and the step to it, which counts when the next record bears it out. */
interface End {
  side: number;
  time: number;
  /** Time of the record before the last one. */
  earlier: number;
  step: number;
}

/** Follows the times of the records as they arrived, stream by stream: where they go back, and where nothing comes for long. One record alone with a wrong time is neither. */
export class SideClock {
  readonly back = NONE();
  readonly gap = NONE();
  readonly #ends = new Map<string, End>();

  /** Follows the rows of one stream. @param sides 1: of A, 2: of B, 0: of none */
  add(source: number, stream: number, times: Float64Array, sides: Uint8Array, from: number, to: number): void {
    const key = `${source}/${stream}`;
    const end = this.#ends.get(key) ?? { side: 0, time: 0, earlier: 0, step: 0 };
    this.#ends.set(key, end);
    for (let row = from; row < to; row++) {
      const side = sides[row] as number;
      if (side === 0) continue;
      const time = times[row] as number;
      const isOther = side !== end.side;
      const isAlone = !isOther && Math.abs(time - end.earlier) < Math.abs(end.step) / 2;
      if (isAlone) end.time = end.earlier;
      else if (!isOther) this.#count(end, source);
      end.step = isOther ? 0 : time - end.time;
      end.earlier = end.time;
      end.side = side;
      end.time = time;
    }
  }

  #count({ side, earlier, step }: End, source: number): void {
    if (step === 0) return;
    const most = (step < 0 ? this.back : this.gap)[(side - 1) as 0 | 1];
    if (Math.abs(step) <= most.by) return;
    most.by = Math.abs(step);
    most.at = earlier;
    most.source = source;
  }
}
