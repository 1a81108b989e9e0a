import { highest, MessageTicker } from '../pipeline/clock.ts';
import type { InputChunk, Mark } from './message-source.ts';

/** What a filter gets next: rows [from, to) of a chunk, a tick (from a line of the input, or from the message clock), or a broken input. */
export type Step =
  | { readonly kind: 'rows'; readonly from: number; readonly to: number }
  | { readonly kind: 'tick'; readonly ns: bigint }
  | { readonly kind: 'timer'; readonly ns: bigint; readonly line: number }
  | { readonly kind: 'broken'; readonly reason: string; readonly line: number };

/**
 * Puts messages and ticks in their order. Ticks come from `timer` lines of the input; as long as there were none, the message clock makes
 * them, every `seconds` (0: none).
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

  /** The clock's ticks before the first timer line. */
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
