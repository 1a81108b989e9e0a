/** The eight severities of RFC 5424, section 6.2.1, and 8 for records that have none. */

export interface Severity {
  /** The word in lists. */
  readonly short: string;
  readonly name: string;
  /** A shape beside the word, so that colour is never alone. */
  readonly shape: 'octagon' | 'triangle' | 'diamond' | 'dot' | 'ring' | 'none';
}

export const UNSET = 8;

export const SEVERITIES: readonly Severity[] = [
  { short: 'EMERG', name: 'Emergency', shape: 'octagon' },
  { short: 'ALERT', name: 'Alert', shape: 'octagon' },
  { short: 'CRIT', name: 'Critical', shape: 'octagon' },
  { short: 'ERROR', name: 'Error', shape: 'triangle' },
  { short: 'WARN', name: 'Warning', shape: 'diamond' },
  { short: 'NOTICE', name: 'Notice', shape: 'dot' },
  { short: 'INFO', name: 'Informational', shape: 'dot' },
  { short: 'DEBUG', name: 'Debug', shape: 'ring' },
  { short: '', name: 'No severity', shape: 'none' },
];

/** Words that logging libraries write for severities, where they are none of the names. */
const OTHER_WORDS: Readonly<Record<string, number>> = { panic: 0, fatal: 2, severe: 3, trace: 7, verbose: 7 };
const FEWEST_LETTERS = 3;

/** The number of a severity by its name, the beginning of it, or another word for it; null: it is none. */
export function severityNamed(word: string): number | null {
  const named = word.toLowerCase();
  if (named.length < FEWEST_LETTERS) return null;
  const number = SEVERITIES.findIndex(
    ({ short, name }) => short !== '' && [short, name].some((one) => one.toLowerCase().startsWith(named)),
  );
  return number >= 0 ? number : (OTHER_WORDS[named] ?? null);
}

/** The entry of a severity; of none, or of a number that is no severity, the last. */
export function severityOf(severity: number | null): Severity {
  return SEVERITIES[severityIndex(severity)] as Severity;
}

/** Its index among the entries and the colour tokens. */
export function severityIndex(severity: number | null): number {
  return severity !== null && Number.isInteger(severity) && severity >= 0 && severity < UNSET ? severity : UNSET;
}
