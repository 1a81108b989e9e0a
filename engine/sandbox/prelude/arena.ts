/**
 * The text of a result: what scripts wrote, piece behind piece, joined once. Values are remembered by where they begin and end; a text that was
 * written before by the same column is not written again (its column remembers it).
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
