/** Messages between the engine and the thread that runs rules. */
import type { RuleInfo, RulesLook } from '../../api/rule-types.ts';

/** A rule as it was read. */
export type RuleFacts = Pick<RuleInfo, 'key' | 'title' | 'level' | 'file' | 'line'>;

export interface RuleSources {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** Keys of the rules that are not run. */
  readonly off: readonly string[];
  /** Folder with the lists that placeholders stand for. */
  readonly lookups: string;
}

export type ToRules =
  /** Reads the rules, anew: those that are broken now stay as they were. It forgets what it has searched. */
  | { readonly kind: 'load'; readonly sources: RuleSources }
  /** Forgets what it has searched. */
  | { readonly kind: 'begin' }
  /** A segment in the form of the record store, and the rows of it that are searched; null: all. */
  | { readonly kind: 'search'; readonly bytes: Uint8Array<ArrayBuffer>; readonly rows: Uint32Array | null };

/** Rules as they were loaded. */
export interface Loaded extends RulesLook {
  readonly rules: readonly RuleFacts[];
}

/** Hits in a segment: rows, numbers of rules and times in milliseconds. */
export interface Found {
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly rules: Uint16Array<ArrayBuffer>;
  readonly times: Float64Array<ArrayBuffer>;
  /** Rules that have forgotten their oldest groups. */
  readonly full: readonly number[];
}

/** The answer to each message but `begin`, in order; `changed` comes unasked. */
export type FromRules =
  | { readonly kind: 'loaded'; readonly loaded: Loaded }
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'changed' };
