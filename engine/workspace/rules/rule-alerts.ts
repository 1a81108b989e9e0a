import type { RuleLevel } from '../../api/rule-fields.ts';
import type { Notice, NoticeSubject } from '../../api/types.ts';
import type { Found, RuleFacts } from './rule-protocol.ts';

/** Milliseconds within which a rule alerts once, and until new hits are told. */
const [REST_MS, SOON_MS] = [60_000, 1000];
/** Rules that alert at once; of the others their number is told. */
const MOST_AT_ONCE = 5;

/** Level of the notice of a rule. */
export const NOTICE_LEVELS: Readonly<Record<RuleLevel, Notice['level']>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'info',
  informational: 'info',
};

type Say = (level: Notice['level'], text: string, about: Partial<NoticeSubject> | null) => void;

interface Waiting {
  hits: number;
  time: number;
}

/** Tells of hits in records that come: one alert for each rule in a while, with their number. */
export class RuleAlerts {
  readonly #rules: readonly RuleFacts[];
  readonly #say: Say;
  readonly #waiting = new Map<number, Waiting>();
  /** Times of the last alerts, of `performance.now`. */
  readonly #told = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(rules: readonly RuleFacts[], say: Say) {
    this.#rules = rules;
    this.#say = say;
  }

  take({ rules, times }: Found): void {
    for (const [i, rule] of rules.entries()) {
      const waiting = this.#waiting.get(rule);
      if (waiting === undefined) this.#waiting.set(rule, { hits: 1, time: times[i] as number });
      else waiting.hits++;
    }
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#tell(), SOON_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    const now = performance.now();
    const due = [...this.#waiting].filter(([rule]) => now - (this.#told.get(rule) ?? -Infinity) >= REST_MS);
    for (const [rule] of due) {
      this.#waiting.delete(rule);
      this.#told.set(rule, now);
    }
    for (const [rule, { hits, time }] of due.slice(0, MOST_AT_ONCE)) {
      const { title, level } = this.#rules[rule] as RuleFacts;
      const count = hits === 1 ? '' : `: ${hits.toLocaleString('en-US')} new records`;
      this.#say(NOTICE_LEVELS[level], `${title} (${level})${count}`, { rule: title, time });
    }
    const rest = due.length - MOST_AT_ONCE;
    if (rest > 0) this.#say('warning', `${rest} more ${rest === 1 ? 'rule has' : 'rules have'} hits in new records`, null);
    if (this.#waiting.size > 0) this.#timer = setTimeout(() => this.#tell(), SOON_MS).unref();
  }
}
