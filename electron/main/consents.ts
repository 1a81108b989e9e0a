import type { Demand } from '../../engine/api/wire.ts';
import { fileQuestion, windowQuestion, workspaceQuestion, type Question } from './questions.ts';

/** The record of what was confirmed, which outlives the application. */
export interface ConsentRecord {
  readonly keys: readonly string[];
}

interface ConsentSurroundings {
  /** Shows a question; true: it was confirmed. */
  readonly show: (question: Question) => Promise<boolean>;
  readonly record: { readonly value: ConsentRecord; save(value: ConsentRecord): void };
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Confirmations that are remembered; the oldest ones go, and are asked for again. */
const MOST_KEYS = 2000;
/** After so many refusals within a minute the window's questions are not shown any more. */
const MOST_REFUSALS = 3;
const MINUTE_MS = 60_000;

/**
 * Decides what may start: what was confirmed once, what is Sluicebox's own, and listeners that only this machine reaches may; of everything else
 * the user is asked, one question at a time. The page has no part in it.
 */
export class Consents {
  readonly #show: ConsentSurroundings['show'];
  readonly #record: ConsentSurroundings['record'];
  readonly #now: () => number;
  /** Sections of the workspace file that were refused: the next start asks again. */
  readonly #refused = new Set<string>();
  #refusals: number[] = [];
  #windowAsks = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ show, record, now = () => performance.now() }: ConsentSurroundings) {
    this.#show = show;
    this.#record = record;
    this.#now = now;
  }

  /** Returns the keys of the demands that may start. */
  async allowed(demands: readonly Demand[]): Promise<string[]> {
    this.#confirm(demands.filter(isHarmless));
    const ofFile = demands.filter(({ by }) => by === 'file');
    if (ofFile.some((demand) => this.#isOpen(demand))) await this.#inTurn(() => this.#askOfFile(ofFile));
    const ofWorkspace = demands.filter((demand) => demand.by === 'workspace' && !this.#isConfirmed(demand));
    if (ofWorkspace.length > 0) await this.#askOf(() => workspaceQuestion(ofWorkspace), ofWorkspace);
    for (const demand of demands)
      if (demand.by === 'window' && !this.#isConfirmed(demand)) await this.#askOf(() => windowQuestion(demand), [demand]);
    return demands.filter((demand) => this.#isConfirmed(demand)).map(({ key }) => key);
  }

  async #askOfFile(demands: readonly Demand[]): Promise<void> {
    const open = demands.filter((demand) => this.#isOpen(demand));
    if (open.length === 0) return;
    if (await this.#show(fileQuestion(open))) this.#confirm(open);
    else for (const { key } of open) this.#refused.add(key);
  }

  /** One question of the window at a time, and none for a while after several were refused: a page must not wear anyone down. */
  async #askOf(question: () => Question, demands: readonly Demand[]): Promise<void> {
    this.#refusals = this.#refusals.filter((at) => this.#now() - at < MINUTE_MS);
    if (this.#windowAsks || this.#refusals.length >= MOST_REFUSALS) return;
    this.#windowAsks = true;
    try {
      if (await this.#inTurn(() => this.#show(question()))) this.#confirm(demands);
      else this.#refusals.push(this.#now());
    } finally {
      this.#windowAsks = false;
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** A record that somebody has damaged confirms nothing. */
  #keys(): readonly string[] {
    const { keys }: { readonly keys: unknown } = this.#record.value;
    return Array.isArray(keys) ? (keys as readonly string[]) : [];
  }

  #isConfirmed({ key }: Demand): boolean {
    return this.#keys().includes(key);
  }

  #isOpen(demand: Demand): boolean {
    return !this.#isConfirmed(demand) && !this.#refused.has(demand.key);
  }

  #confirm(demands: readonly Demand[]): void {
    const added = demands.filter((demand) => !this.#isConfirmed(demand)).map(({ key }) => key);
    if (added.length > 0) this.#record.save({ keys: [...this.#keys(), ...added].slice(-MOST_KEYS) });
  }
}

/** Tells whether a demand needs no question: a part of Sluicebox itself, or a listener of the window for this machine alone. */
const isHarmless = ({ by, kind, local }: Demand): boolean => by === 'product' || (by === 'window' && kind === 'listener' && local);
