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

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];

/** Reads a severity number that is written as a number or by its name, such as `SEVERITY_NUMBER_INFO2`. 0: there is none. */
export function severityNumberNamed(text: string): number {
  const [, level = '', step = '1'] = /^SEVERITY_NUMBER_([A-Z]+)([2-4])?$/.exec(text) ?? [];
  const at = LEVELS.indexOf(level);
  return at === -1 ? Number(text) || 0 : at * 4 + Number(step);
}
