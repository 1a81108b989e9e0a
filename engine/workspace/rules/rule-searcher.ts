import { existsSync } from 'node:fs';
import { useLookups } from '../../lookup/folder.ts';
import { decodeBatch } from '../../message/batch/wire.ts';
import { takeRows } from '../../message/batch/gather.ts';
import { checkedRules } from '../../rules/checked-rules.ts';
import { RuleEngine } from '../../rules/engine.ts';
import { loadRules, type LoadedRules } from '../../rules/folder.ts';
import type { Rule } from '../../rules/model.ts';
import { withKept } from '../../rules/reload.ts';
import { asDecoded } from '../../store/segment.ts';
import type { Found, Loaded, RuleFacts, RuleSources } from './rule-protocol.ts';

/** Problems that are told one by one. */
const MOST_FAULTS = 500;
/** Rules that hits can name. */
const MOST_RULES = 65_535;

/** Reads rules and runs them on segments of the record store. */
export class RuleSearcher {
  #rules: readonly Rule[] = [];
  #off: ReadonlySet<string> = new Set();
  readonly #numbers = new Map<Rule, number>();
  #full: number[] = [];
  #engine = new RuleEngine([]);

  /** @throws {EngineError} when a folder cannot be read, or has too many files */
  async load({ paths, off, lookups }: RuleSources): Promise<Loaded> {
    useLookups(lookups);
    const there = paths.filter((path) => existsSync(path));
    const loaded = withKept(this.#rules, await loadRules(there));
    this.#rules = loaded.rules.slice(0, MOST_RULES);
    this.#off = new Set(off);
    this.#numbers.clear();
    for (const [i, rule] of this.#rules.entries()) this.#numbers.set(rule, i);
    this.begin();
    return lookOf({ ...loaded, problems: [...missingOf(paths, there), ...loaded.problems] }, this.#rules);
  }

  /** Forgets what was searched. */
  begin(): void {
    this.#full = [];
    const onFull = (rule: Rule): void => void this.#full.push(this.#numbers.get(rule) as number);
    this.#engine = new RuleEngine(
      this.#rules.filter((rule) => !this.#off.has(keyOf(rule))),
      { onFull },
    );
  }

  /** The hits in a segment. */
  search(bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array | null): Found {
    const stored = asDecoded(decodeBatch(bytes));
    const batch = rows === null ? stored : takeRows(stored, rows);
    const hits = this.#engine.run(batch);
    const full = this.#full;
    this.#full = [];
    return {
      rows: Uint32Array.from(hits, ({ row }) => (rows === null ? row : (rows[row] as number))),
      rules: Uint16Array.from(hits, ({ rule }) => this.#numbers.get(rule) as number),
      times: Float64Array.from(hits, ({ row }) => Number((batch.timestamps[row] as bigint) / 1_000_000n)),
      full,
    };
  }
}

const keyOf = ({ id, title }: Rule): string => id ?? title;

const missingOf = (paths: readonly string[], there: readonly string[]): LoadedRules['problems'] =>
  paths.filter((path) => !there.includes(path)).map((file) => ({ file, line: 1, rule: '', text: 'there is no such folder' }));

function lookOf({ problems }: LoadedRules, rules: readonly Rule[]): Loaded {
  return {
    loaded: rules.length,
    refused: problems.length,
    faults: problems.slice(0, MOST_FAULTS),
    withoutDecoder: checkedRules(rules).withoutDecoder,
    rules: rules.map((rule): RuleFacts => {
      const { title, level, file, line } = rule;
      return { key: keyOf(rule), title, level, file, line };
    }),
  };
}
