import type { MessageBatch } from '../message/batch/batch.ts';
import { compileMatcher, type Matcher } from '../matcher/matcher.ts';
import { Correlator, type CorrelationHit } from './correlator.ts';
import { entriesOf, LOG_KINDS, type LogKindName, type SourceEntry } from './logsources.ts';
import { LEVELS, type CorrelationRule, type DetectionRule, type Level, type Rule } from './model.ts';
import { needsField, Program, type NarrowedRule } from './program.ts';
import { BatchViews } from './views.ts';

/** A rule that is true for a message. */
export interface Hit {
  readonly rule: Rule;
  readonly row: number;
  /** Of a correlation. */
  readonly found?: Pick<CorrelationHit, 'group' | 'count'>;
}

export interface RuleEngineOptions {
  /** Rules below it do not tell of their hits. */
  readonly level?: Level;
  /** Is called once when a correlation has to forget groups. */
  readonly onFull?: (rule: CorrelationRule) => void;
}

/** Rules of messages of one kind whose fields have the same places. */
interface Source {
  readonly entry: SourceEntry | null;
  /** Rules, with what narrows the messages that they are about. */
  readonly rules: NarrowedRule[];
  /** Made when there are messages of the source. */
  program: Program | null;
}

/** Runs rules over batches of messages. It has a state: that of the correlations. */
export class RuleEngine {
  readonly #sources = new Map<string, Source>();
  readonly #narrowing = new Map<string, Matcher>();
  readonly #kinds = Object.fromEntries(Object.entries(LOG_KINDS).map(([name, { where }]) => [name, compileMatcher(where)])) as Readonly<
    Record<LogKindName, Matcher>
  >;
  readonly #correlator: Correlator;
  readonly #least: number;
  readonly #silent: ReadonlySet<string>;

  constructor(rules: readonly Rule[], { level = 'informational', onFull }: RuleEngineOptions = {}) {
    const correlations = rules.filter((rule) => rule.kind === 'correlation');
    this.#correlator = new Correlator(correlations, onFull);
    this.#least = LEVELS.indexOf(level);
    this.#silent = new Set(correlations.filter(({ generate }) => !generate).flatMap((rule) => rule.rules));
    for (const rule of rules) if (rule.kind === 'detection' && (this.#tells(rule) || this.#correlator.isAbout(rule))) this.#add(rule);
  }

  /** The hits in a batch, by their rows. Batches come in order of time. */
  run(batch: MessageBatch): readonly Hit[] {
    if (batch.length === 0) return [];
    const views = new BatchViews(batch);
    const ofKind = new Map<LogKindName, Uint32Array | null>();
    for (const [kind, matcher] of Object.entries(this.#kinds) as [LogKindName, Matcher][]) ofKind.set(kind, matcher.select(batch));
    const found: { rule: DetectionRule; row: number; values: ReadonlyMap<string, string> }[] = [];
    for (const source of this.#sources.values()) {
      const rows = source.entry === null ? othersOf([...ofKind.values()], batch.length) : (ofKind.get(source.entry.kind) ?? null);
      if (rows !== null && rows.length === 0) continue;
      source.program ??= new Program(source.entry, source.rules);
      source.program.run({ batch, views, rows }, (rule, row, valuesOf) => {
        const values = new Map(
          this.#correlator.fieldsOf(rule).flatMap((field) =>
            valuesOf(field)
              .slice(0, 1)
              .map((value) => [field, value]),
          ),
        );
        found.push({ rule, row, values });
      });
    }
    found.sort((a, b) => a.row - b.row);
    return found.flatMap((hit) => this.#hitsOf(hit, batch));
  }

  #hitsOf({ rule, row, values }: { rule: DetectionRule; row: number; values: ReadonlyMap<string, string> }, batch: MessageBatch): Hit[] {
    const hits: Hit[] = this.#tells(rule) ? [{ rule, row }] : [];
    if (!this.#correlator.isAbout(rule)) return hits;
    const timeMs = Number((batch.timestamps[row] as bigint) / 1_000_000n);
    for (const { rule: correlation, group, count } of this.#correlator.take({ rule, timeMs, values }))
      if (this.#tells(correlation)) hits.push({ rule: correlation, row, found: { group, count } });
    return hits;
  }

  /** Whether hits of a rule are told: those of rules that a correlation is about are only told when it says so. */
  #tells({ id, name, level }: Rule): boolean {
    if (LEVELS.indexOf(level) < this.#least) return false;
    return !(id !== null && this.#silent.has(id)) && !(name !== null && this.#silent.has(name));
  }

  #add(rule: DetectionRule): void {
    const entries = entriesOf(rule.logSource);
    for (const entry of entries) this.#source(entry).rules.push({ rule, where: this.#where(entry.where) });
    // Messages of other decoders are found by the names of their fields, or by their texts where there is no decoder for the rule.
    if (entries.length === 0 || needsField(rule.condition)) this.#source(null).rules.push({ rule, where: null });
  }

  #where(expression: string | undefined): Matcher | null {
    if (expression === undefined) return null;
    const matcher = this.#narrowing.get(expression) ?? compileMatcher(expression);
    this.#narrowing.set(expression, matcher);
    return matcher;
  }

  /** Entries whose fields have the same places share a program, and so one walk over the values. */
  #source(entry: SourceEntry | null): Source {
    const key = entry === null ? '' : JSON.stringify([entry.kind, entry.fields, entry.together]);
    const source = this.#sources.get(key) ?? { entry, rules: [], program: null };
    this.#sources.set(key, source);
    return source;
  }
}

/** The rows that are in none of these. */
function othersOf(kinds: readonly (Uint32Array | null)[], length: number): Uint32Array | null {
  if (kinds.includes(null)) return new Uint32Array(0);
  const isTaken = new Uint8Array(length);
  for (const rows of kinds as readonly Uint32Array[]) for (const row of rows) isTaken[row] = 1;
  const rest = Uint32Array.from({ length }, (_, row) => row).filter((row) => isTaken[row] === 0);
  return rest.length === length ? null : rest;
}
