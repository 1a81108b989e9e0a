import type { FieldFacts, Overview } from '../../../engine/api/types.ts';
import { errorText, type Client } from '../lib/api.ts';
import { singleVariables } from '../lib/operations.ts';
import type { Logs } from './logs.svelte.ts';
import { Patterns } from './patterns.svelte.ts';

/** Values of each field, and of the one that is shown large. */
const [VALUES, VALUES_OF_LARGE] = [20, 500];
/** Least milliseconds between two counts while records come, and how many times as long as the last one took. */
const [PAUSE_MS, PAUSES] = [1500, 4];

/** Parts of the Logs that it needs. */
type OverviewLogs = Pick<Logs, 'view' | 'scan' | 'others'>;

/** A field by its name: a header may have the same. */
export type FieldKey = Pick<FieldFacts, 'name' | 'isHeader'>;

export const sameField = (one: FieldKey, other: FieldKey | null): boolean =>
  other !== null && one.name === other.name && one.isHeader === other.isHeader;

/** The fields, schema and patterns of the records that the Logs show. They are counted while someone looks at them, and anew when there are others. */
export class OverviewPage {
  value = $state.raw<Overview | null>(null);
  problem = $state<string | null>(null);
  /** The field that is shown large. */
  open = $state.raw<FieldKey | null>(null);
  /** Its facts, with more values; null: they are on their way. */
  large = $state.raw<FieldFacts | null>(null);
  readonly patterns: Patterns;
  readonly #client: Client;
  readonly #logs: OverviewLogs;
  #run = 0;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  /** Milliseconds that the last count took, and its end. */
  #took = 0;
  #ended = -Infinity;
  /** `others` of the Logs, of which the records are counted; null: none are. */
  #of: number | null = null;
  /** The same, of which the facts are; null: of none. */
  #told = $state<number | null>(null);
  #isIdle = true;

  constructor(client: Client, logs: OverviewLogs) {
    this.#client = client;
    this.#logs = logs;
    this.patterns = new Patterns(client, () => logs.view);
  }

  /** Variables of which each record that is shown has a value of its own, as far as that was counted. */
  get single(): readonly string[] {
    return this.#isCounted ? singleVariables(this.value?.fields ?? []) : [];
  }

  /** Whether the facts are of records that were shown before. */
  get isPast(): boolean {
    return this.value !== null && this.#told !== this.#logs.others;
  }

  /** Whether just the records that are shown are counted. */
  get #isCounted(): boolean {
    const { scan, others } = this.#logs;
    return others === this.#of && this.value?.complete === true && this.value.total === scan.found;
  }

  /** Counts what is not counted yet: others at once, and more of the same after a pause, since they may be coming all the time. */
  follow(): void {
    const { scan, others } = this.#logs;
    if (!scan.settled) return;
    const isSame = others === this.#of;
    if (this.#isCounted) return;
    this.#of = others;
    clearTimeout(this.#waiting);
    if (!isSame) void this.#count();
    else if (this.#isIdle) this.#waiting = setTimeout(() => void this.#count(), this.#pause());
  }

  /** Finds the patterns of the values of a variable; null: of the texts. */
  findPatterns(variable: string | null): void {
    this.patterns.variable = variable;
    if (this.value !== null) void this.patterns.find();
  }

  /** Begins anew. */
  again(): void {
    clearTimeout(this.#waiting);
    void this.#count();
  }

  /** Nobody looks at it any more. */
  stop(): void {
    if (!this.#isIdle || this.patterns.busy) this.#of = null;
    this.#run++;
    this.#isIdle = true;
    clearTimeout(this.#waiting);
    this.patterns.stop();
  }

  /** Shows a field large, or none. */
  show(field: FieldKey | null): void {
    this.open = field;
    this.large = null;
    if (field !== null) void this.#fetchLarge();
  }

  #pause(): number {
    return Math.max(0, this.#ended + Math.max(PAUSE_MS, PAUSES * this.#took) - performance.now());
  }

  async #count(): Promise<void> {
    const run = ++this.#run;
    const isWanted = (): boolean => run === this.#run;
    const began = performance.now();
    const of = this.#of;
    this.problem = null;
    this.#isIdle = false;
    try {
      const first = await this.#ask(true);
      if (!isWanted() || first === null) return;
      [this.value, this.#told] = [first, of];
      await Promise.all([this.#goOn(isWanted), this.patterns.find()]);
      if (isWanted() && this.open !== null) await this.#fetchLarge();
    } catch (error) {
      if (isWanted()) this.problem = errorText(error);
    } finally {
      if (isWanted()) this.#end(began);
    }
  }

  async #goOn(isWanted: () => boolean): Promise<void> {
    while (this.value?.complete === false && isWanted()) {
      const value = await this.#ask(false);
      if (isWanted() && value !== null) this.value = value;
    }
  }

  #end(began: number): void {
    this.#isIdle = true;
    this.#ended = performance.now();
    this.#took = this.#ended - began;
    if (this.problem === null) this.follow();
  }

  #ask(again: boolean): Promise<Overview | null> {
    const { view } = this.#logs;
    return view === null ? Promise.resolve(null) : this.#client.request('view.overview', { view, values: VALUES, again });
  }

  async #fetchLarge(): Promise<void> {
    const { open } = this;
    const { view } = this.#logs;
    if (open === null || view === null) return;
    try {
      const { fields } = await this.#client.request('view.overview', { view, values: VALUES_OF_LARGE, field: open.name });
      if (sameField(open, this.open)) this.large = fields.find((field) => sameField(field, open)) ?? null;
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}
