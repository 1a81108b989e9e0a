import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { QueryTable } from '../../../../engine/api/types.ts';
import { FUNCTIONS } from './functions.ts';
import { identifier } from '../../lib/query/names.ts';

/** Completes tables, columns and functions. @param tables those that are there now */
export function completeQuery(tables: () => readonly QueryTable[]): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const word = context.matchBefore(/[\p{L}_"][\p{L}\p{N}_"]*$/u);
    const before = context.state.sliceDoc(0, word?.from ?? context.pos);
    const qualifier = /(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_]*))\.$/u.exec(before);
    if (word === null && qualifier === null && !context.explicit) return null;
    const all = tables();
    const text = context.state.doc.toString();
    const from = word?.from ?? context.pos;
    if (qualifier !== null) {
      const name = (qualifier[1] ?? qualifier[2] ?? '').toLowerCase();
      const table = all.find((one) => one.name.toLowerCase() === name);
      // An alias: which table it stands for is not known.
      return { from, options: columnsOf(table === undefined ? named(all, text) : [table]), validFor: /^["\p{L}\p{N}_]*$/u };
    }
    const inFrom = /\b(?:from|join)\s+$/i.test(before) || /\bfrom\s+[^()]*,\s*$/i.test(before);
    const options = inFrom ? tablesOf(all) : [...columnsOf(named(all, text)), ...tablesOf(all), ...FUNCTION_OPTIONS];
    return { from, options, validFor: /^["\p{L}\p{N}_]*$/u };
  };
}

/** The tables that a query names; all of them while it names none. */
function named(tables: readonly QueryTable[], text: string): readonly QueryTable[] {
  const words = new Set(text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu));
  const found = tables.filter(({ name }) => words.has(name.toLowerCase()));
  return found.length > 0 ? found : tables;
}

const tablesOf = (tables: readonly QueryTable[]): Completion[] =>
  tables.map(({ name, rows }) => ({
    label: name,
    apply: identifier(name),
    type: 'class',
    detail: `${rows.toLocaleString('en')} rows`,
    boost: 1,
  }));

function columnsOf(tables: readonly QueryTable[]): Completion[] {
  const columns = new Map(tables.flatMap((table) => table.columns.map(({ name, type }) => [name, type] as const)));
  return [...columns].map(([name, type]) => ({ label: name, apply: identifier(name), type: 'property', detail: type, boost: 2 }));
}

const FUNCTION_OPTIONS: readonly Completion[] = FUNCTIONS.map(([name, parameters, info]) => ({
  label: name,
  apply: `${name}(`,
  type: 'function',
  detail: `(${parameters})`,
  info,
}));
