/** Structured text in records, laid out in lines. Nothing is dropped, rounded or put in another order: only white space between its parts is. */
import { prettyJson } from './pretty-json.ts';
import { prettySql } from './pretty-sql.ts';
import { prettyXml } from './pretty-xml.ts';

type PrettyKind = 'JSON' | 'XML' | 'SQL' | 'stack trace';

/** A piece of a text. */
export interface PrettyPart {
  /** null: free text, as it is. */
  readonly kind: PrettyKind | null;
  readonly text: string;
}

/** A structured piece that was found at a place. */
export interface Found {
  readonly text: string;
  /** Exclusive end in the text that it was found in. */
  readonly end: number;
}

/** Texts beyond this are left as they are: a page must not stand still for one record. */
const LONGEST = 60_000;
/** Places where a structured piece might begin and does not. */
const MOST_TRIES = 30;
const BEGIN = /[{[]|<[?!A-Za-z]/g;
/** A line of a stack: of Java and JavaScript, Python, PHP, Go, Ruby, .NET and Rust. */
const FRAME =
  /^\s+at \S|^\s*File ".*", line \d+|^\s*#\d+:? |^\s*from \S+:\d+:in |^\s+\S+\.\w+:\d+(?::in | \+0x|$)|^\s*\d+: +0x[\da-f]+ - |^goroutine \d+ \[/;
const FEWEST_FRAMES = 2;

/** The structured parts of a text among the others; one part without a kind when there are none. */
export function prettyParts(text: string): readonly PrettyPart[] {
  if (text.length > LONGEST) return [{ kind: null, text }];
  if (frames(text) >= FEWEST_FRAMES) return [{ kind: 'stack trace', text }];
  const sql = prettySql(text);
  if (sql !== null) return sql;
  const parts: PrettyPart[] = [];
  let from = 0;
  let tries = 0;
  for (let found = nextBegin(text, 0); found >= 0 && tries < MOST_TRIES; found = nextBegin(text, found)) {
    const isXml = text.charAt(found) === '<';
    const piece = isXml ? prettyXml(text, found) : prettyJson(text, found);
    if (piece === null) {
      tries++;
      found++;
      continue;
    }
    if (text.slice(from, found).trim() !== '') parts.push({ kind: null, text: text.slice(from, found).trim() });
    parts.push({ kind: isXml ? 'XML' : 'JSON', text: piece.text });
    from = found = piece.end;
  }
  if (text.slice(from).trim() !== '' || parts.length === 0) parts.push({ kind: null, text: from === 0 ? text : text.slice(from).trim() });
  return parts;
}

/** Whether a part of the text is shown in another way than as it is. */
export const isStructured = (parts: readonly PrettyPart[]): boolean => parts.some(({ kind }) => kind !== null);

/** Whether a line of a stack trace is a frame, as opposed to what was thrown. */
export const isFrame = (line: string): boolean => FRAME.test(line);

function frames(text: string): number {
  return text.includes('\n') ? text.split('\n').filter(isFrame).length : 0;
}

function nextBegin(text: string, from: number): number {
  BEGIN.lastIndex = from;
  return BEGIN.exec(text)?.index ?? -1;
}
