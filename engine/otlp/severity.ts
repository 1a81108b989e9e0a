/** Severities of messages, those of syslog, as severity numbers of OTLP: appendix B of its data model of logs. */
const NUMBERS = [21, 19, 18, 17, 13, 10, 9, 5] as const;

/** The severity number of a severity; undefined: OTLP has none. */
export const severityNumberOf = (severity: number): number | undefined => NUMBERS[severity];

/** The severity that is nearest to a severity number; undefined: there is no such number. */
export function severityOf(number: number): number | undefined {
  if (!(number >= 1 && number <= 24)) return undefined;
  if (number < 9) return 7;
  return NUMBERS.findIndex((known) => known <= number);
}
