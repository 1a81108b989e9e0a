/** Whether a text has each of the typed words, in any order; case does not matter. */
export function hasWords(text: string, typed: string): boolean {
  const within = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}
