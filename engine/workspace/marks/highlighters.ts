import { z } from 'zod';
import type { Highlighter } from '../../api/mark-types.ts';
import { highlighterList } from '../../api/requests/shapes.ts';
import { compileSearch } from '../../store/search/compile-search.ts';

const schema = z.strictObject({ version: z.literal(1), highlighters: highlighterList });

/** @throws {Error} when it is no such file */
export function parseHighlighters(text: string): readonly Highlighter[] {
  return schema.parse(JSON.parse(text)).highlighters;
}

export function formatHighlighters(highlighters: readonly Highlighter[]): string {
  return `${JSON.stringify({ version: 1, highlighters }, null, 1)}\n`;
}

/** @throws {EngineError} `query.regex` when an expression is wrong */
export function checkHighlighters(highlighters: readonly Highlighter[]): void {
  for (const { kind, text, caseSensitive, word } of highlighters) {
    if (kind === 'regex') compileSearch({ text, regex: true, caseSensitive, word });
  }
}
