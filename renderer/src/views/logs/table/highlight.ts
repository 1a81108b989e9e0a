import { foldCase, isWholeWord, wholeWordRegex, wordsIn } from '../../../../../engine/api/words.ts';

/** A piece of a text, and the class that it is drawn with; null: as the text around it. */
export interface Segment {
  readonly text: string;
  readonly look: string | null;
}

/** Finds the next hit at or after a position; its look, where not all hits have the same. */
export type Find = (text: string, from: number) => { readonly start: number; readonly end: number; readonly look?: string } | null;

/** Makes a finder of a regular expression, or of one of its groups; null: it does not compile. */
export type CompileRegex = (pattern: string, caseSensitive: boolean, group?: number) => Find | null;

/** Hits that are drawn in one text; a pattern that hits everywhere must not make thousands of elements. */
const MOST = 50;

/** A text that is searched for, with the rules of the engine (`TextQuery` there). */
export interface Search {
  readonly text: string;
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly word?: boolean;
}

/** Hits of one kind. */
export interface Layer {
  readonly find: Find;
  /** The look of hits that name none. */
  readonly look: string;
}

/** @param compile for regular expressions; null: not there yet. @returns null: nothing is looked for, or the pattern does not compile */
export function finderOf(search: Search, compile: CompileRegex | null): Find | null {
  if (search.text === '') return null;
  if (!search.regex) return textFind(search);
  const find = compile?.(search.text, search.caseSensitive) ?? null;
  if (find === null || search.word !== true) return find;
  const [ascii, unicode] = (['ascii', 'unicode'] as const).map((words) =>
    compile?.(wholeWordRegex(search.text, words), search.caseSensitive, 1),
  );
  if (!ascii || !unicode) return null;
  return (text, from) => (wordsIn(text) === 'ascii' ? ascii : unicode)(text, from);
}

/** Splits texts at the hits of these layers. Where hits overlap, those of the last layer are seen. */
export function painter(layers: readonly Layer[]): (text: string) => readonly Segment[] {
  return (text) => (layers.length === 0 ? [{ text, look: null }] : paint(text, layers));
}

function textFind({ text: wanted, caseSensitive, word = false }: Search): Find {
  const needle = caseSensitive ? wanted : foldCase(wanted);
  return (text, from) => {
    const hay = caseSensitive ? text : foldCase(text);
    // Lower case can be longer than upper case in a few scripts; then positions do not fit.
    if (hay.length !== text.length) return null;
    for (let start = hay.indexOf(needle, from); start >= 0; start = hay.indexOf(needle, start + 1)) {
      const end = start + needle.length;
      if (!word || isWholeWord(hay, start, end)) return { start, end };
    }
    return null;
  };
}

function paint(text: string, layers: readonly Layer[]): readonly Segment[] {
  /** For each character the number of its look; 0: none. */
  const looks = new Uint8Array(text.length);
  const names: (string | null)[] = [null];
  for (const { find, look } of layers) {
    for (let from = 0, hits = 0; from <= text.length && hits < MOST; hits++) {
      const hit = find(text, from);
      if (hit === null) break;
      const name = hit.look ?? look;
      if (!names.includes(name)) names.push(name);
      looks.fill(names.indexOf(name), hit.start, hit.end);
      from = Math.max(hit.end, from + 1);
    }
  }
  const segments: Segment[] = [];
  for (let start = 0, end = 0; end < text.length || segments.length === 0; start = end) {
    while (end < text.length && looks[end] === looks[start]) end++;
    segments.push({ text: text.slice(start, end), look: names[looks[start] ?? 0] ?? null });
  }
  return segments;
}
