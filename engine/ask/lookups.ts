import type * as DuckDB from '@duckdb/node-api';
import { lookupNamed } from '../lookup/folder.ts';
import type { LookupValue } from '../lookup/lookup.ts';
import { duckdb } from './duckdb.ts';

/** Keys of which the answers are kept: logs have most addresses many times. */
const MOST_KEPT = 1 << 16;

/** The function `in_lookup(key, name)` of queries: whether a lookup has a key, as `in @name` in matchers. null for null. */
export const inLookup = (): DuckDB.DuckDBScalarFunction =>
  lookupFunction('in_lookup', duckdb.BOOLEAN, 1, ([name = '']) => {
    const lookup = lookupNamed(name);
    return (key) => lookup.has(key);
  });

/** The function `lookup(key, name, column)` of queries: what a lookup has for a key, as a text; null: nothing. */
export const lookedUp = (): DuckDB.DuckDBScalarFunction =>
  lookupFunction('lookup', duckdb.VARCHAR, 2, ([name = '', column = '']) => {
    const find = lookupNamed(name).column(column);
    return (key) => find(key)?.toString() ?? null;
  });

type Answer = (key: string) => LookupValue | null;

/**
 * A function of a key, and of further texts that say what is asked.
 * @param count of these
 * @param answerTo makes the answer to all keys
 */
function lookupFunction(
  name: string,
  returnType: DuckDB.DuckDBType,
  count: number,
  answerTo: (asked: readonly string[]) => Answer,
): DuckDB.DuckDBScalarFunction {
  const known = new Map<string, Answer>();
  const answerOf = (asked: readonly string[]): Answer => {
    const id = asked.join('\0');
    const answer = known.get(id) ?? keeping(answerTo(asked));
    known.set(id, answer);
    return answer;
  };
  return duckdb.DuckDBScalarFunction.create({
    name,
    parameterTypes: Array.from({ length: count + 1 }, () => duckdb.VARCHAR),
    returnType,
    mainFunction: (_info, input, output) => {
      const [keys, ...others] = Array.from({ length: count + 1 }, (_, i) => input.getColumnVector(i));
      for (let row = 0; row < input.rowCount; row++) {
        const key = keys?.getItem(row) as string | null;
        const asked = others.map((column) => column.getItem(row) as string | null);
        output.setItem(row, key === null || !asked.every((text) => text !== null) ? null : answerOf(asked)(key));
      }
      output.flush();
    },
  });
}

function keeping(answer: Answer): Answer {
  const known = new Map<string, LookupValue | null>();
  return (key) => {
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const found = answer(key);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(key, found);
    return found;
  };
}
