import type { Variable } from '../../../../engine/api/filter/variable.ts';
import { changeTerm, NO_DRAFT, pullTerm, pushDraft, sameTerm, type Draft, type FilterTerm } from '../../lib/filter/filter.ts';
import { readFilter, type Reading } from '../../../../engine/api/filter/reading.ts';
import { typedPlace, type TypedProblem } from '../../../../engine/api/filter/scanner.ts';
import type { Lookups } from './lookups.svelte.ts';
import type { Logs } from '../logs.svelte.ts';

/** A name, and what compares it. */
const COMPARISON = /^[-!(\s]*[\w.@-]+\s*(?:[:=<>]|!=|in\b)/;
const MOST_UNSURE = 20;
const TEXT: Reading = { kind: 'text', note: null };

/** The box of the filter bar: what is typed there filters at once, and goes to the stack with Enter. */
export class FilterBox {
  readonly #logs: Logs;
  readonly #variables: () => readonly Variable[];
  readonly lookups: Lookups;
  /** Drafts that were kept as text although they may compare a field that no record had yet. */
  #unsure = $state.raw<readonly Draft[]>([]);
  /** Enter was pressed on a comparison that must go on: that is an error then. */
  #insisted = $state(false);

  constructor(logs: Logs, variables: () => readonly Variable[], lookups: Lookups) {
    this.#logs = logs;
    this.lookups = lookups;
    this.#variables = variables;
  }

  readonly draft = $derived.by(() => this.#logs.filter.draft);
  /** The meaning that it was given. */
  readonly reading = $derived.by((): Reading => this.#read(this.draft));
  /** The typed text's fault, at its place; null: none. */
  readonly problem = $derived.by((): TypedProblem | null => {
    const { reading, draft } = this;
    if (reading.kind === 'wrong') return reading.open && !this.#insisted ? null : reading.problem;
    const { problem } = this.#logs;
    if (problem === null || draft.term === null) return null;
    const { place, text } = problem;
    // The engine counts the filters that are on; that of the box is the last.
    if (place === null || place.filter !== this.#logs.filter.stack.filter(({ enabled }) => enabled).length) return null;
    const typed = (at: number): number => (reading.kind === 'matcher' ? typedPlace(reading.pieces, at) : at);
    return { from: typed(place.from), to: typed(place.to), text: text.replace(/^column \d+: /, '') };
  });

  /** Whether what became known of the fields gives what stands there another meaning. */
  readonly outdated = $derived.by((): boolean => {
    const { term } = this.draft;
    const now = this.#termOf(this.draft);
    return now?.kind !== term?.kind || now?.text !== term?.text || this.#clear.length > 0;
  });

  /** Filters of the stack that became comparisons, as their field is known now. */
  readonly #clear = $derived.by((): readonly { readonly id: number; readonly term: FilterTerm }[] =>
    this.#unsure.flatMap((draft) => {
      const term = this.#termOf(draft);
      const kept = this.#logs.filter.stack.find((one) => sameTerm(one, draft.term));
      return term?.kind === 'matcher' && kept !== undefined ? [{ id: kept.id, term }] : [];
    }),
  );

  /** Understands it anew, with what was kept too early. */
  reread(): void {
    const clear = this.#clear;
    if (clear.length > 0) {
      this.#unsure = this.#unsure.filter((draft) => this.#termOf(draft)?.kind !== 'matcher');
      const { stack } = clear.reduce((filter, { id, term: { out: _out, ...term } }) => changeTerm(filter, id, term), this.#logs.filter);
      this.#logs.change({ stack });
    }
    this.#set({}, false);
  }

  type(typed: string): void {
    this.lookups.hear(typed);
    this.#set({ typed }, true);
  }

  /** Turns a switch. */
  turn(part: Partial<Pick<Draft, 'regex' | 'plain' | 'caseSensitive' | 'out'>>): void {
    this.#set(part, false);
  }

  /** Moves the filter to the stack, unless it is wrong. */
  push(): void {
    // The schema may have come after the text was typed.
    this.reread();
    // With nothing behind the colon it is searched as it stands.
    if (this.reading.kind === 'wrong' && this.reading.open && this.draft.typed.endsWith(':')) this.turn({ plain: true });
    this.#insisted = true;
    // A fault that is shown may be that of an earlier text.
    if (this.problem !== null && (this.reading.kind === 'wrong' || this.#logs.draftJudged)) return;
    const { draft } = this;
    if (draft.term?.kind === 'text' && !draft.plain && COMPARISON.test(draft.typed))
      this.#unsure = [...this.#unsure, draft].slice(-MOST_UNSURE);
    this.#logs.change(pushDraft(this.#logs.filter));
    this.#insisted = false;
  }

  /** Takes a filter of the stack back, to change it. */
  pull(id: number): void {
    this.#insisted = false;
    const { filter } = this.#logs;
    const pulled = filter.stack.find((one) => one.id === id);
    if (pulled === undefined) return;
    const { draft, ...rest } = pullTerm(filter, id);
    const reading = pulled.kind === 'matcher' ? this.#readOf(pulled.label) : TEXT;
    // A label that does not say the whole expression gives way to it.
    const whole = pulled.kind !== 'matcher' || (reading.kind === 'matcher' && reading.expression === pulled.text);
    this.#logs.change({ ...rest, draft: whole ? draft : { ...draft, typed: pulled.text } });
  }

  clear(): void {
    this.#insisted = false;
    this.#logs.change({ draft: { ...NO_DRAFT, regex: this.draft.regex, caseSensitive: this.draft.caseSensitive } });
  }

  #set(part: Partial<Draft>, typing: boolean): void {
    this.#insisted = false;
    const draft = { ...this.draft, ...part };
    this.#logs.change({ draft: { ...draft, term: this.#termOf(draft) } }, typing);
  }

  #termOf(draft: Draft): FilterTerm | null {
    const { typed, regex, caseSensitive, out } = draft;
    if (typed === '') return null;
    const reading = this.#read(draft);
    if (reading.kind === 'wrong') return null;
    if (reading.kind === 'matcher') return { kind: 'matcher', text: reading.expression, label: typed.trim(), caseSensitive: false, out };
    return { kind: regex ? 'regex' : 'text', text: typed, label: typed, caseSensitive, out };
  }

  #read({ typed, regex, plain }: Draft): Reading {
    return regex || plain || typed === '' ? TEXT : this.#readOf(typed);
  }

  #readOf(typed: string): Reading {
    return readFilter(typed, this.#variables(), this.lookups.names);
  }
}
