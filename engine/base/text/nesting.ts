/** Positions count from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;
/** Comments, strings, and the signs that matter; those without an end are taken as well, or each would be looked for again. */
const PARTS = /\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?(?:\*\/|$)|'(?:\\[^]|[^\\'\n])*'?|"(?:\\[^]|[^\\"\n])*"?|[()[\]{}/`]/g;
const TEMPLATE_PARTS = /\\[^]|`|\$\{/g;
const REGEXP_PARTS = /\\[^\n]|[[\]/\n]/g;
/** Code behind which a slash begins a regular expression. */
const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|void|yield|await))\s*$/;
/** Characters in which the code before a slash is looked for. */
const LOOK_BACK = 32;

/** The place of the first bracket of a script that has more than `most` open ones around it; null: there is none. */
export function deepPlace(text: string, most: number): TextPlace | null {
  /** For each open bracket whether it belongs to a template, which goes on behind it. */
  const open: boolean[] = [];
  PARTS.lastIndex = 0;
  for (let part = PARTS.exec(text); part !== null; part = PARTS.exec(text)) {
    const [found] = part;
    const isTemplate = found === '`' || (found === '}' && open.at(-1) === true);
    if (found === '/') {
      if (BEFORE_REGEXP.test(text.slice(Math.max(0, part.index - LOOK_BACK), part.index)))
        PARTS.lastIndex = regexpEnd(text, PARTS.lastIndex);
    } else if (found === ')' || found === ']' || found === '}') open.pop();
    else if (found === '(' || found === '[' || found === '{') open.push(false);
    if (isTemplate && templateText(text)) open.push(true);
    if (open.length > most) return placeOf(text, part.index);
  }
  return null;
}

/** Skips the text of a template. Returns whether code follows in it. */
function templateText(text: string): boolean {
  TEMPLATE_PARTS.lastIndex = PARTS.lastIndex;
  for (let part = TEMPLATE_PARTS.exec(text); part !== null; part = TEMPLATE_PARTS.exec(text)) {
    PARTS.lastIndex = TEMPLATE_PARTS.lastIndex;
    if (part[0] === '`' || part[0] === '${') return part[0] === '${';
  }
  PARTS.lastIndex = text.length;
  return false;
}

/** The end of a regular expression that begins there, or of its line. */
function regexpEnd(text: string, start: number): number {
  let isInClass = false;
  REGEXP_PARTS.lastIndex = start;
  for (let part = REGEXP_PARTS.exec(text); part !== null; part = REGEXP_PARTS.exec(text)) {
    if (part[0] === '\n' || (part[0] === '/' && !isInClass)) return REGEXP_PARTS.lastIndex;
    if (part[0] === '[') isInClass = true;
    else if (part[0] === ']') isInClass = false;
  }
  return text.length;
}

function placeOf(text: string, index: number): TextPlace {
  const lines = text.slice(0, index).split(LINE_END);
  return { line: lines.length, column: (lines.at(-1) as string).length + 1 };
}
