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
