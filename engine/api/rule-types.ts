/** Types of the rules of a workspace. */
import type { RuleLevel } from './rule-fields.ts';

/** A mistake in a rule, or a part of it that is not known. */
export interface RuleFault {
  readonly file: string;
  readonly line: number;
  /** Title of the rule; empty: it has none, or the file cannot be read. */
  readonly rule: string;
  readonly text: string;
  /** The rule is still run as it was before. */
  readonly kept?: true;
}

/** Rules as they were read. */
export interface RulesLook {
  /** Rules that were loaded. */
  readonly loaded: number;
  /** Rules and files that were not, and the first of them. */
  readonly refused: number;
  readonly faults: readonly RuleFault[];
  /** Log sources without a decoder of their own, with the number of their rules. */
  readonly withoutDecoder: readonly (readonly [source: string, rules: number])[];
}

/** Place that rules of the workspace come from: its own folder, those that come with Sluicebox, or a folder that someone chose. */
export interface RuleFolder {
  readonly kind: 'own' | 'bundled' | 'chosen';
  readonly path: string;
}

/** A rule with its hits. */
export interface RuleInfo {
  /** Its id, or its title. */
  readonly key: string;
  readonly title: string;
  readonly level: RuleLevel;
  readonly file: string;
  readonly line: number;
  readonly on: boolean;
  readonly hits: number;
  /** Hits that mark their records. */
  readonly marked: number;
  /** Milliseconds since 1970 of the first and the last record; null: there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** A correlation has forgotten its oldest groups. */
  readonly full: boolean;
}

/** Progress of the rules. */
export interface RulesProgress {
  /** `none`: there are no rules; `stopped`: someone stopped the search. */
  readonly state: 'none' | 'loading' | 'searching' | 'stopped' | 'ready';
  /** Records that were searched, of how many. */
  readonly searched: number;
  readonly of: number;
  readonly hits: number;
  /** Rises when the rules or their hits are others than before. */
  readonly version: number;
  /** The reason why rules are not run; null: they are. */
  readonly problem: string | null;
}

/** The rules of a workspace. */
export interface RulesState extends RulesProgress, RulesLook {
  readonly folders: readonly RuleFolder[];
  /** The folder beside the workspace file; rules in it need not be added. */
  readonly own: string;
  readonly rules: readonly RuleInfo[];
}
