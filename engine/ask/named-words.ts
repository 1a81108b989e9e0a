/**
 * The names that a query can mean: found in its text before there is a table to ask, so that columns which it does not need are not written. Where a query
 * might see columns that it does not name, all are needed.
 */

type Token = { readonly kind: 'name' | 'quoted' | 'mark' | 'value'; readonly text: string };

const TOKEN = /\s+|--[^\n]*|\/\*[^]*?\*\/|"((?:[^"]|"")*)"|([\p{L}_][\p{L}\p{N}_$]*)|'(?:[^']|'')*'|\$\$[^]*?\$\$|\d[\w.]*|[^]/uy;

/** Words that reach columns without their names, or change how a query is read. */
const UNSAFE =
  /^(?:describe|summarize|show|explain|pivot|unpivot|columns|natural|table|values|asof|positional|summary|lateral|rowid|struct_pack|row|duckdb_.*|pragma.*|sqlite_.*|information_schema|query.*)$/;
/** Words that may stand behind a table and are no name for it. */
const BEHIND_TABLE = new Set(
  'where group order limit having join inner left right full cross semi anti outer on using union except intersect offset qualify window tablesample sample as'.split(
    ' ',
  ),
);

/**
 * The names in a query, in lower case; null: any column may be needed.
 * @param tables those that it may ask
 */
export function namedWords(sql: string, tables: readonly string[]): ReadonlySet<string> | null {
  const tokens = tokensOf(sql);
  const [first] = tokens;
  if (first?.kind !== 'name' || !['select', 'with'].includes(first.text)) return null;
  if (tokens.some((token, i) => !isSafe(token, i, tokens)) || beginsWithFrom(tokens)) return null;
  const rows = new Set(tables.map((name) => name.toLowerCase()));
  for (const alias of aliases(tokens)) rows.add(alias);
  return tokens.some((token, i) => isRow(token, i, tokens, rows))
    ? null
    : new Set(tokens.flatMap((token) => (isName(token) ? [token.text] : [])));
}

const isName = (token: Token | undefined): token is Token => token?.kind === 'name' || token?.kind === 'quoted';

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const [text, quoted, word] of sql.matchAll(new RegExp(TOKEN, 'guy'))) {
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll('""', '"').toLowerCase() });
    else if (word !== undefined) tokens.push({ kind: 'name', text: word.toLowerCase() });
    else if (/^['$\d]./.test(text) || /^\d$/.test(text)) tokens.push({ kind: 'value', text });
    else if (!/^(?:\s|--|\/\*)/.test(text)) tokens.push({ kind: 'mark', text });
  }
  return tokens;
}

function isSafe({ kind, text }: Token, i: number, tokens: readonly Token[]): boolean {
  const before = tokens[i - 1]?.text ?? '';
  if (kind === 'name') return !UNSAFE.test(text) && !(text === 'desc' && before === '(') && !isPrefix(text, tokens[i + 1]);
  if (kind === 'quoted') return tokens[i + 1]?.text !== '(' || !UNSAFE.test(text);
  if (kind === 'value') return true;
  // An alias may give names of its own to columns.
  if (text === '(' && (isTable(i - 2, tokens) || (tokens[i - 2]?.text === 'as' && isTable(i - 3, tokens)))) return false;
  if (text === '*') return before === '(' && tokens[i - 2]?.text === 'count' && tokens[i + 1]?.text === ')';
  // Positions of columns, parameters, quotes without an end and other dialects.
  return !/[#$?"'`@:;{}[\]]/.test(text) || isCast(text, i, tokens) || (text === ';' && i === tokens.length - 1);
}

/** Whether a word belongs to the text behind it (`E'…'`), in which quotes may be escaped. */
const isPrefix = (word: string, next: Token | undefined): boolean =>
  /^[ebux]$/.test(word) && next !== undefined && (next.text === '&' || next.text.startsWith("'"));

/** Whether something is selected without SELECT, which then is all: each FROM needs one before it within the same parentheses. */
function beginsWithFrom(tokens: readonly Token[]): boolean {
  const selects = [0];
  for (const [i, { kind, text }] of tokens.entries()) {
    const depth = selects.length - 1;
    if (text === '(') selects.push(0);
    else if (text === ')' && depth > 0) selects.pop();
    else if (kind === 'name' && ['union', 'except', 'intersect'].includes(text)) selects[depth] = 0;
    else if (kind === 'name' && text === 'select') selects[depth] = (selects[depth] ?? 0) + 1;
    else if (kind === 'name' && text === 'from' && tokens[i - 1]?.text !== 'distinct') {
      if (selects[depth] === 0) return true;
      selects[depth] = (selects[depth] ?? 0) - 1;
    }
  }
  return false;
}

const isCast = (text: string, i: number, tokens: readonly Token[]): boolean =>
  text === ':' && (tokens[i - 1]?.text === ':' || tokens[i + 1]?.text === ':');

/** Whether a token is a table or its alias that stands for its whole rows: anywhere but behind FROM and JOIN, as an alias there, and before a dot. */
function isRow(token: Token, i: number, tokens: readonly Token[], rows: ReadonlySet<string>): boolean {
  if (!isName(token) || !rows.has(token.text)) return false;
  return (
    !isTable(i, tokens) &&
    !isTable(i - 1, tokens) &&
    !(tokens[i - 1]?.text === 'as' && isTable(i - 2, tokens)) &&
    tokens[i + 1]?.text !== '.'
  );
}

const isTable = (i: number, tokens: readonly Token[]): boolean =>
  isName(tokens[i]) && tokens[i - 1]?.kind === 'name' && ['from', 'join'].includes(tokens[i - 1]?.text ?? '');

function* aliases(tokens: readonly Token[]): Iterable<string> {
  for (let i = 0; i < tokens.length; i++) {
    if (!isTable(i, tokens)) continue;
    const next = tokens[tokens[i + 1]?.text === 'as' ? i + 2 : i + 1];
    if (isName(next) && (next.kind === 'quoted' || !BEHIND_TABLE.has(next.text))) yield next.text;
  }
}
