import type { CorrelationRule } from './model.ts';

/** An event of a group. */
interface GroupEvent {
  readonly timeMs: number;
  /** Place of its rule among those of the correlation. */
  readonly rule: number;
  /** Value of the field that is counted or added. */
  readonly value: string;
}

/** Events of a group at most: the oldest ones are forgotten. A count beyond it cannot be reached. */
export const MAX_GROUP_EVENTS = 100_000;
/** Gone events that are kept in front of the others until they are this many. */
const SPARE = 1000;

/** The events of a group within the time of a correlation, with what is known of them; an event more takes the same time however many there are. */
export class Group {
  readonly #correlation: CorrelationRule;
  #events: GroupEvent[] = [];
  #first = 0;
  readonly #rules = new Map<number, number>();
  readonly #values = new Map<string, number>();
  #sum = 0;
  /** Of each rule of an ordered correlation: the start of the latest chain of rules that ends with it. */
  readonly #chains: (number | null)[];

  constructor(correlation: CorrelationRule) {
    this.#correlation = correlation;
    this.#chains = correlation.rules.map(() => null);
  }

  /** Events that are kept. */
  get size(): number {
    return this.#events.length - this.#first;
  }

  /** Adds an event. @returns the number that the condition is about; null: there is none yet */
  add(event: GroupEvent): number | null {
    const { type, spanMs } = this.#correlation;
    if (type === 'temporal_ordered') return this.#chain(event);
    this.#events.push(event);
    this.#note(event, 1);
    while (this.size > MAX_GROUP_EVENTS || (this.#events[this.#first] as GroupEvent).timeMs <= event.timeMs - spanMs) {
      this.#note(this.#events[this.#first++] as GroupEvent, -1);
    }
    if (this.#first > SPARE && this.#first > this.size) {
      this.#events = this.#events.slice(this.#first);
      this.#first = 0;
    }
    switch (type) {
      case 'event_count':
        return this.size;
      case 'temporal':
        return this.#rules.size;
      case 'value_count':
        return this.#values.size;
      case 'value_sum':
        return this.#sum;
      case 'value_avg':
        return this.#sum / this.size;
      case 'value_percentile':
        // The share of the events with the same value, in per cent: rare ones are looked for.
        return this.size < 2 ? null : (100 * (this.#values.get(event.value) as number)) / this.size;
    }
  }

  #note({ rule, value }: GroupEvent, by: 1 | -1): void {
    addTo(this.#rules, rule, by);
    addTo(this.#values, value, by);
    const number = Number(value);
    // An endless number would stay in the sum.
    if (Number.isFinite(number)) this.#sum += by * number;
  }

  /** Goes on with the chains of rules in their order. @returns the number of rules when all have come within the time */
  #chain({ timeMs, rule }: GroupEvent): number | null {
    const start = rule === 0 ? timeMs : (this.#chains[rule - 1] ?? null);
    if (start === null || timeMs - start > this.#correlation.spanMs) return null;
    this.#chains[rule] = start;
    return rule === this.#chains.length - 1 ? this.#chains.length : null;
  }
}

function addTo<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
