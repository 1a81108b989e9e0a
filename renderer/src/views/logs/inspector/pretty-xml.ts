import type { Found } from './pretty.ts';

const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![^>]*>|<(\/?)([A-Za-z_][\w:.-]*)(?:[^<>"']|"[^"]*"|'[^']*')*?(\/?)>|[^<]+/y;
const INDENT = '  ';
/** Deepest level with an indentation of its own: thousands of levels would take more room for blanks than for anything else. */
const DEEPEST = 64;

const indent = (depth: number): string => INDENT.repeat(Math.min(depth, DEEPEST));

/** The element of XML that begins at a place, with what stands in front of it, laid out in lines. null: there is none, or it does not end. */
export function prettyXml(text: string, start: number): Found | null {
  const lines: string[] = [];
  const open: string[] = [];
  /** Elements were seen inside of the one that is open: its end gets a line of its own. */
  let nested = false;
  for (let at = start; at < text.length;) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return null;
    const [token, closes, name, selfCloses] = found;
    at += token.length;
    if (name === undefined) {
      const words = token.trim();
      if (words === '') continue;
      if (open.length === 0 && !token.startsWith('<')) return null;
      // Text directly behind a start stays on its line.
      if (!token.startsWith('<') && !nested && lines.length > 0) lines.push(`${lines.pop() ?? ''}${token.includes('\n') ? words : token}`);
      else lines.push(indent(open.length) + words);
      if (token.startsWith('<')) nested = true;
      continue;
    }
    if (closes === '/') {
      if (open.pop() !== name) return null;
      if (nested) lines.push(indent(open.length) + token);
      else lines.push(`${lines.pop() ?? ''}${token}`);
      nested = true;
    } else {
      lines.push(indent(open.length) + token);
      nested = selfCloses === '/';
      if (!nested) open.push(name);
    }
    if (open.length === 0) return lines.length < 2 && !token.includes('=') ? null : { text: lines.join('\n'), end: at };
  }
  return null;
}
