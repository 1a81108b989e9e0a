import { highest, MessageTicker } from '../pipeline/clock.ts';
import type { InputChunk, Mark } from './message-source.ts';

/** One step of a filter: rows [from, to) of a chunk, a tick of the message clock, a tick from a line of the input, or a broken input. */
export type Step =
  | { readonly kind: 'rows'; readonly from: number; readonly to: number }
  | { readonly kind: 'tick'; readonly ns: bigint }
  | { readonly kind: 'timer'; readonly ns: bigint; readonly line: number }
  | { readonly kind: 'broken'; readonly reason: string; readonly line: number };

/**
 * Puts messages and ticks in order. The message clock makes a tick every `seconds` (0: none) until the first `timer` line of the input;
 * from then on only such lines are ticks.
 */
export class FilterSteps {
  readonly #ticker: MessageTicker | null;
  #timerSeen = false;
  #now: bigint | null = null;

  constructor(seconds: number) {
    this.#ticker = seconds > 0 ? new MessageTicker(seconds) : null;
  }

  /** The time of the last tick, which comes at the end: null when the input has timers itself, or no messages. */
  get end(): bigint | null {
    return this.#timerSeen ? null : this.#now;
  }

  *of(chunk: InputChunk): Generator<Step> {
    const { batch, marks } = chunk;
    const ticks = this.#ticks(chunk);
    let from = 0;
    let tick = 0;
    function* rowsUntil(to: number): Generator<Step> {
      for (let next = ticks[tick]; next !== undefined && next.row < to; next = ticks[++tick]) {
        if (next.row > from) yield { kind: 'rows', from, to: next.row };
        from = next.row;
        yield { kind: 'tick', ns: next.ns };
      }
      if (to > from) yield { kind: 'rows', from, to };
      from = to;
    }
    for (const mark of marks) {
      yield* rowsUntil(mark.row);
      yield stepOf(mark);
    }
    yield* rowsUntil(batch.length);
  }

  /** Ticks of the message clock before the first timer line. */
  #ticks({ batch, marks }: InputChunk): readonly { readonly row: number; readonly ns: bigint }[] {
    if (batch.length > 0) this.#now = highest(batch.timestamps, this.#now ?? (batch.timestamps[0] as bigint));
    const first = marks.find(({ kind }) => kind === 'timer')?.row;
    const ticks = this.#timerSeen || this.#ticker === null ? [] : this.#ticker.advance(batch.timestamps);
    if (first === undefined) return ticks;
    this.#timerSeen = true;
    return ticks.filter(({ row }) => row < first);
  }
}

function stepOf(mark: Mark): Step {
  const { line } = mark;
  return mark.kind === 'timer' ? { kind: 'timer', ns: mark.ns, line } : { kind: 'broken', reason: mark.reason, line };
}
