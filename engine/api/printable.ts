/**
 * Characters that a terminal obeys, or that break or reorder a line: control characters (C0, DEL, C1), line and paragraph separators, embedded and overridden
 * directions of writing, and halves of surrogate pairs.
 */
const COMMANDS = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;
const EACH_COMMAND = new RegExp(COMMANDS, 'gu');
const EACH_BUT_LAYOUT = new RegExp(`(?![\\t\\n])${COMMANDS.source}`, 'gu');

/** The same in a line of JSON, which has no C0 and no halves of pairs. */
const IN_JSON = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/;
const EACH_IN_JSON = new RegExp(IN_JSON, 'g');

/** Characters that take no room or turn the direction of writing, so that a text is not what it looks like; joiners only where no script needs them. */
const UNSEEN =
  /(?<=[ -~\u00c0-\u024f])[\u200c\u200d]|\u034f|\u17b4|\u17b5|[\u180b-\u180d]|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** All escapes are those of JSON, so that JSON stays JSON wherever it is shown. */
function escape(character: string): string {
  const code = (character.codePointAt(0) as number).toString(16);
  return SHORT[character] ?? (code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`);
}

/** Shows each character that could command a terminal or forge a line as an escape, `\u001b`. Line ends and tabs are such characters. */
export const printable = (text: string): string => (COMMANDS.test(text) ? text.replace(EACH_COMMAND, escape) : text);

/** The same for text of several lines: line feeds and tabs stay. */
export const printableLines = (text: string): string => (COMMANDS.test(text) ? text.replace(EACH_BUT_LAYOUT, escape) : text);

/** Puts text of several lines on one, ` | ` between them, and shows the other control characters as escapes. */
export const printableLine = (text: string): string =>
  COMMANDS.test(text) ? printable(text.trim().replace(/\s*[\r\n]+\s*/g, ' | ')) : text;

/** Escapes what JSON leaves as it is and terminals obey, such as U+009B, which begins a command like ESC [ does. The value is the same. */
export const printableJson = (json: string): string => (IN_JSON.test(json) ? json.replace(EACH_IN_JSON, escape) : json);

const PLAIN = /^[\t\n -~]*$/;

/** Text of a record as the window shows it: also what takes no room and could deceive is seen. */
export const visibleText = (text: string): string => (PLAIN.test(text) ? text : printableLines(text).replace(UNSEEN, escape));

/** A text on one line, of which nothing is taken for Markdown or HTML. */
export const plainMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>|#~&!]/g, (character) => `\\${character}`).replaceAll(/\r\n?|\n/g, ' ⏎ ');

/** A text as it is, between fences that nothing in it closes. @param language of the text; empty: none */
export function fencedMarkdown(text: string, language = ''): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
