/**
 * The text of a result: the pieces that scripts wrote, joined once. Values refer to it by start and end. A column does not write a text again
 * when it repeats the column's last one.
 */
let pieces: string[] = [];
let length = 0;

/** Adds a text and returns where it begins. */
export function addText(text: string): number {
  const start = length;
  if (text.length > 0) {
    pieces.push(text);
    length += text.length;
  }
  return start;
}

/** The whole text; the arena is empty afterwards. */
export function takeArena(): string {
  const text = pieces.length === 1 ? (pieces[0] as string) : pieces.join('');
  pieces = [];
  length = 0;
  return text;
}
