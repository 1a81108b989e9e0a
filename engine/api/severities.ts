/** The eight severities of RFC 5424, section 6.2.1, by their numbers: the word in lists, and the name. */
export const SEVERITY_NAMES: readonly (readonly [short: string, name: string])[] = [
  ['EMERG', 'Emergency'],
  ['ALERT', 'Alert'],
  ['CRIT', 'Critical'],
  ['ERROR', 'Error'],
  ['WARN', 'Warning'],
  ['NOTICE', 'Notice'],
  ['INFO', 'Informational'],
  ['DEBUG', 'Debug'],
];

/** Words that logging libraries write for severities, where they are none of the names. */
const OTHER_WORDS: Readonly<Record<string, number>> = { panic: 0, fatal: 2, severe: 3, trace: 7, verbose: 7 };
const FEWEST_LETTERS = 3;

/** The number of a severity by its name, the beginning of it, or another word for it; null: it is none. */
export function severityNamed(word: string): number | null {
  const named = word.toLowerCase();
  if (named.length < FEWEST_LETTERS) return null;
  const number = SEVERITY_NAMES.findIndex((names) => names.some((name) => name.toLowerCase().startsWith(named)));
  return number >= 0 ? number : (OTHER_WORDS[named] ?? null);
}
