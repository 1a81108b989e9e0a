/** Several JSON objects in one line, without anything or with blanks or commas between them. */

const [QUOTE, BACKSLASH, OPEN, CLOSE] = [34, 92, 123, 125];
/** Separators of two objects. */
const BETWEEN = /[\s,]*/y;

/** The position behind the object that begins at `at`; -1: it does not end. */
function objectEnd(text: string, at: number): number {
  let depth = 0;
  for (let to = at; to < text.length; to++) {
    const code = text.charCodeAt(to);
    if (code === QUOTE) {
      for (to++; to < text.length && text.charCodeAt(to) !== QUOTE; to++) if (text.charCodeAt(to) === BACKSLASH) to++;
    } else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return to + 1;
  }
  return -1;
}

/** The texts of the objects that a text consists of; null when it is anything but two or more objects. */
export function objectsOf(text: string): readonly string[] | null {
  const objects: string[] = [];
  for (let at = 0; at < text.length;) {
    if (text.charCodeAt(at) !== OPEN) return null;
    const end = objectEnd(text, at);
    if (end < 0) return null;
    objects.push(text.slice(at, end));
    BETWEEN.lastIndex = end;
    BETWEEN.test(text);
    at = BETWEEN.lastIndex;
  }
  return objects.length > 1 ? objects : null;
}

/** The members of an object that was cut off, up to the last one that is whole; null when there is none. */
export function cutObject(text: string): string | null {
  if (text.charCodeAt(0) !== OPEN) return null;
  const open: string[] = [];
  /** The end of the last whole member, and what closes the objects and lists around it. */
  let [end, closing] = [-1, ''];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']');
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') [end, closing] = [at, open.toReversed().join('')];
  }
  return end < 0 ? null : text.slice(0, end) + closing;
}
