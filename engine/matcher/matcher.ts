import type { MessageBatch } from '../message/batch/batch.ts';
import type { Message } from '../message/types.ts';
import { variablesOf, type Variables } from './ast.ts';
import { compile } from './compile.ts';
import { interpret } from './interpret.ts';
import { latinOf, mayMatch, type KnownValues } from './outlook.ts';
import { parse } from './parser.ts';
import { isAll, NO_ROWS } from './rows.ts';

/** A compiled expression. It holds no state that a call could change, so one may serve any number of plugins. */
export interface Matcher {
  /** The expression as it was written. */
  readonly source: string;
  /** The variables that it reads. */
  readonly variables: Variables;
  /** An expression of ripgrep that is found in a line of the stored texts of each message that satisfies it; null: there is none. */
  readonly latin: string | null;
  /** Whether any of some messages may satisfy it; false: none does. */
  mayMatch(values: KnownValues): boolean;
  /** Whether a single message satisfies it. For many messages use `select`. */
  matches(message: Message): boolean;
  /**
   * The rows of a batch that satisfy it, ascending; null: all of them (also when the batch is empty). With `from` (ascending, null: all)
   * only these rows are looked at, and `from` itself comes back when all of them satisfy it. The result must not be changed.
   */
  select(batch: MessageBatch, from?: Uint32Array | null): Uint32Array | null;
}

/**
 * Compiles a matcher expression (docs/matcher.md). Throws `MatcherError`, which names the column, the text there and what was
 * expected.
 */
export function compileMatcher(expression: string): Matcher {
  const node = parse(expression);
  const select = compile(node);
  return {
    source: expression,
    variables: variablesOf(node),
    latin: latinOf(node),
    mayMatch: (values) => mayMatch(node, values),
    matches: (message) => interpret(node, message),
    select(batch, from = null) {
      if (from !== null && from.length === 0) return NO_ROWS;
      if (batch.length === 0) return null;
      const rows = select(batch, from);
      return isAll(rows, from, batch.length) ? from : rows;
    },
  };
}

/** The variables that an expression reads, without keeping the compiled form. Throws `MatcherError`. */
export function variables(expression: string): Variables {
  return variablesOf(parse(expression));
}
