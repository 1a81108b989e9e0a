import type { PrettyPart } from './pretty.ts';

/** The beginning of a statement: at the beginning of the text, or behind a word that announces it. */
const STATEMENT =
  /(?:^|\b(?:statement|query|sql|execute|STATEMENT|QUERY|SQL)\b[^:\n]{0,60}:\s*)(?=(?:select\s.+\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\S+.*\sas\s*\(|create\s+(?:table|index|view)\s|alter\s+table\s))/is;
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|\s+|[\s\S]/gy;
const [SHORTEST, LONGEST] = [40, 20_000];
const INDENT = '  ';

/** Words that begin a line; those that may follow one on its line are not in it. */
const CLAUSES = new Set([
  'FROM',
  'WHERE',
  'GROUP',
  'ORDER',
  'HAVING',
  'LIMIT',
  'UNION',
  'VALUES',
  'SET',
  'RETURNING',
  'LEFT',
  'RIGHT',
  'INNER',
  'FULL',
  'CROSS',
]);
const CONDITIONS = new Set(['AND', 'OR', 'ON']);
const BEFORE_JOIN = new Set(['LEFT', 'RIGHT', 'INNER', 'FULL', 'CROSS', 'OUTER', 'NATURAL']);
const NO_CLAUSE_BEHIND = new Set(['DELETE', 'BETWEEN', 'DISTINCT']);

/** A text that is a statement of SQL, or ends with one: the statement in lines, one for each clause. null: it is none. */
export function prettySql(text: string): readonly PrettyPart[] | null {
  if (text.length < SHORTEST || text.length > LONGEST) return null;
  const found = STATEMENT.exec(text);
  if (found === null) return null;
  const start = found.index + found[0].length;
  const before = text.slice(0, start).trim();
  const source = text.slice(start).trim();
  if (isUnclear(source)) return null;
  const sql: PrettyPart = { kind: 'SQL', text: laidOut(source) };
  return before === '' ? [sql] : [{ kind: null, text: before }, sql];
}

/**
 * Whether it is not known where quoted texts end: a quote behind a backslash ends one for some servers and does not for others, and one that is not closed was
 * cut.
 */
const isUnclear = (source: string): boolean =>
  /\\['"`]/.test(source) || source.match(TOKEN)?.some((token) => /^['"`]$/.test(token)) === true;

function laidOut(source: string): string {
  let out = '';
  let depth = 0;
  let last = '';
  /** An AND belongs to a BETWEEN. */
  let between = false;
  for (const [token] of source.matchAll(TOKEN)) {
    const word = token.toUpperCase();
    if (token === '(') depth++;
    if (token === ')') depth = Math.max(0, depth - 1);
    if (/^\s/.test(token)) {
      out += out.endsWith(' ') || out.endsWith('\n') ? '' : ' ';
      continue;
    }
    const joins = word === 'JOIN' && !BEFORE_JOIN.has(last);
    const begins = depth === 0 && !NO_CLAUSE_BEHIND.has(last) && (CLAUSES.has(word) || joins);
    const goesOn = depth === 0 && CONDITIONS.has(word) && !(between && word === 'AND');
    if (out !== '' && (begins || goesOn)) out = `${out.trimEnd()}\n${goesOn ? INDENT : ''}`;
    if (word === 'BETWEEN') between = true;
    else if (word === 'AND') between = false;
    out += token;
    // A comment to the end of the line must not swallow the words behind it.
    if (token.startsWith('--')) out += '\n';
    if (/^\w/.test(token)) last = word;
  }
  return out;
}
