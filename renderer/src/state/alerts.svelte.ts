import type { Notice } from '../../../engine/api/types.ts';
import type { Client } from '../lib/api.ts';
import { formatCount, plural } from '../lib/format.ts';
import { noticeText } from '../lib/notice-words.ts';
import { isArrayOf, isNumber, isShape, readSaved, writeSaved, type TextStore } from '../lib/sources/saved.ts';
import { areSilences, isSilenced, setBack, shapeOf, type Silence } from '../lib/time/silence.ts';
import type { Engine } from './engine.svelte.ts';
import type { Prefs } from './prefs.svelte.ts';

/** Numbers of notices hold for one engine process. */
interface Marks {
  readonly engine: number;
  readonly dismissed: readonly number[];
  readonly acknowledged: readonly number[];
}

const areMarks = isShape<Marks>({ engine: isNumber, dismissed: isArrayOf(isNumber), acknowledged: isArrayOf(isNumber) });
const NO_MARKS: Marks = { engine: 0, dismissed: [], acknowledged: [] };
/** Larger than the number of kept notices. */
const MOST_MARKS = 1000;
const MINUTE = 60_000;
/** Characters of an alert that a notification shows. */
const MOST_TEXT = 500;
/** Milliseconds between two checks for silences that have ended. */
const LOOK_MS = 10_000;
/** A clock that goes back by less was corrected, not set. */
const CORRECTION_MS = 1000;
const TITLES = { info: 'Sluicebox', warning: 'Sluicebox: warning', error: 'Sluicebox: problem' } as const;

interface AlertsOptions {
  readonly client: Client;
  readonly engine: Engine;
  readonly prefs: Prefs;
  readonly store: TextStore;
}

/** The notices that are shown: without those that were dismissed or silenced. */
export class Alerts {
  silences = $state.raw<readonly Silence[]>([]);
  #marks = $state.raw<Marks>(NO_MARKS);
  #now = $state(Date.now());
  readonly #options: AlertsOptions;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: AlertsOptions) {
    this.#options = options;
    this.silences = readSaved(options.store, 'silences', this.silences, areSilences);
    this.#marks = readSaved(options.store, 'alerts', this.#marks, areMarks);
    this.#watchTime();
  }

  readonly #kept = $derived.by(() => {
    const { engine, dismissed } = this.#marks;
    const gone = engine === this.#options.engine.pid ? dismissed : [];
    return this.#options.engine.notices.filter(({ id }) => !gone.includes(id));
  });
  readonly #heard = $derived(this.#kept.filter((notice) => !this.#isSilenced(notice)).reverse());
  /** Alerts of logs and rules, newest first. */
  readonly list = $derived(this.#heard.filter(isAlert));
  /** Troubles of the program itself, with its sources and scripts; newest first. */
  readonly troubles = $derived(this.#heard.filter((notice) => !isAlert(notice)));
  readonly silenced = $derived(this.#kept.filter((notice) => this.#isSilenced(notice)).reverse());
  /** Alerts that nobody has acknowledged. */
  readonly open = $derived(this.list.filter((notice) => this.#isOpen(notice)).length);
  readonly #openTroubles = $derived(this.troubles.filter((notice) => this.#isOpen(notice)));
  readonly openTroubles = $derived(this.#openTroubles.length);
  /** Whether one of the troubles is an error. */
  readonly failing = $derived(this.#openTroubles.some(({ level }) => level === 'error'));

  /** How many there are, and how many of them are open. */
  readonly count = $derived(`${plural(this.list.length, 'alert')}${this.open > 0 ? `, ${formatCount(this.open)} not acknowledged` : ''}`);

  #isOpen({ id, level }: Notice): boolean {
    return level !== 'info' && !this.isAcknowledged(id);
  }

  isAcknowledged(id: number): boolean {
    return this.#marks.engine === this.#options.engine.pid && this.#marks.acknowledged.includes(id);
  }

  acknowledge(ids: readonly number[], on = true): void {
    const { acknowledged } = this.#ownMarks();
    const rest = acknowledged.filter((id) => !ids.includes(id));
    this.#mark({ acknowledged: on ? [...rest, ...ids] : rest });
  }

  dismiss(ids: readonly number[]): void {
    this.#mark({ dismissed: [...this.#ownMarks().dismissed, ...ids] });
  }

  /** @param minutes null: until it is lifted */
  silence(what: Partial<Pick<Silence, 'code' | 'plugin' | 'text'>>, minutes: number | null): void {
    this.#look();
    const until = minutes === null ? null : this.#now + minutes * MINUTE;
    const id = 1 + Math.max(0, ...this.silences.map((silence) => silence.id));
    const rule = {
      id,
      code: null,
      plugin: null,
      ...what,
      text: what.text === undefined || what.text === null ? null : shapeOf(what.text),
      until,
    };
    this.#setSilences([...this.silences, rule]);
  }

  lift(id: number): void {
    this.#setSilences(this.silences.filter((silence) => silence.id !== id));
  }

  /** The words of a new notice, which also become a desktop notification; null: it is silenced. */
  hear(notice: Notice): string | null {
    this.#look();
    if (this.#isSilenced(notice)) return null;
    const { prefs, client } = this.#options;
    const text = noticeText(notice, prefs.zone);
    if (prefs.notify && notice.level !== 'info') {
      // A notification that cannot be shown is in the window all the same.
      void client
        .request('shell.notify', {
          title: TITLES[notice.level],
          text: text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text,
          alert: notice.id,
        })
        .catch(() => undefined);
    }
    return text;
  }

  #isSilenced(notice: Notice): boolean {
    return isSilenced(notice, this.silences, this.#now);
  }

  #ownMarks(): Marks {
    const { pid } = this.#options.engine;
    return this.#marks.engine === pid ? this.#marks : { ...NO_MARKS, engine: pid };
  }

  #mark(part: Partial<Marks>): void {
    this.#marks = { ...this.#ownMarks(), ...part };
    const { engine, dismissed, acknowledged } = this.#marks;
    // Numbers below 0 belong to notices of this page alone.
    const kept = (ids: readonly number[]): readonly number[] => ids.filter((id) => id >= 0).slice(-MOST_MARKS);
    writeSaved(this.#options.store, 'alerts', { engine, dismissed: kept(dismissed), acknowledged: kept(acknowledged) });
  }

  #setSilences(silences: readonly Silence[]): void {
    this.silences = silences;
    writeSaved(this.#options.store, 'silences', silences);
    this.#watchTime();
  }

  #look(): void {
    const now = Date.now();
    const back = this.#now - now;
    this.#now = now;
    if (back > CORRECTION_MS && this.silences.length > 0) this.#setSilences(setBack(this.silences, back));
  }

  #watchTime(): void {
    clearInterval(this.#timer);
    if (this.silences.length === 0) return;
    this.#timer = setInterval(() => {
      this.#look();
      const left = this.silences.filter(({ until }) => until === null || until > this.#now);
      if (left.length < this.silences.length) this.#setSilences(left);
    }, LOOK_MS);
  }
}

/** Whether a notice is an alert of a filter script, not a trouble of the program itself. */
const isAlert = ({ code }: Pick<Notice, 'code'>): boolean => code === 'alert';
