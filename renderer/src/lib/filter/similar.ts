/** Words by which texts are told apart. */
const MOST_WORDS = 40;
const [GAP, WORD] = ['\\s+', '\\S+'];

/** The source of an expression that finds texts which differ from this one in words with digits alone; null: no word is without. */
export function similarSource(text: string): string | null {
  const words = text.trim().split(/\s+/).slice(0, MOST_WORDS);
  if (!words.some((word) => /\p{L}/u.test(word) && !/\d/.test(word))) return null;
  return words.map((word) => (/\d/.test(word) ? WORD : word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))).join(GAP);
}
