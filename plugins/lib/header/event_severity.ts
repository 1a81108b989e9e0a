/** Severities of events of security products, from 0 to 10. */

const WORDS: Readonly<Record<string, number>> = {
  low: 6,
  medium: 4,
  high: 3,
  'very-high': 2,
  'very high': 2,
};

/** Syslog's severity: 0 to 3 is information, 4 to 6 a warning, 7 and 8 an error, 9 and 10 critical; -1 for what is neither a number nor a word. */
export function eventSeverity(text: string): number {
  const word = WORDS[text.toLowerCase()];
  if (word !== undefined) return word;
  const number = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  if (!(number <= 10)) return -1;
  if (number < 4) return 6;
  if (number < 7) return 4;
  return number < 9 ? 3 : 2;
}
