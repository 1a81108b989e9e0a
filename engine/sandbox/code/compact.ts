import type { Token } from 'acorn';
import { acorn } from './parser.ts';

const BEYOND_LATIN_1 = /[^\0-\xff]/g;

/**
 * Returns the same program without comments and blanks, in characters of Latin-1. Each isolate keeps the text of what it runs, with two bytes a
 * character if only one of them needs them. Line ends between tokens stay, because they may end statements.
 * @param code a script; where it has characters beyond Latin-1, they are in literals that are not tagged templates
 */
export function compactCode(code: string): string {
  const tokens: Token[] = [];
  acorn().parse(code, { ecmaVersion: 'latest', sourceType: 'script', onToken: tokens });
  let compact = '';
  let end = 0;
  for (const token of tokens) {
    compact += blank(code.slice(end, token.start)) + code.slice(token.start, token.end);
    end = token.end;
  }
  return compact.replace(BEYOND_LATIN_1, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function blank(between: string): string {
  if (between === '') return '';
  return /[\n\r\u2028\u2029]/.test(between) ? '\n' : ' ';
}
