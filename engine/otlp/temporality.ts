/** The words of messages for the temporalities of OTLP, by their numbers. */
export const TEMPORALITIES = ['', 'delta', 'cumulative'] as const;

/** Reads a temporality that is written as a number or by its name, such as `AGGREGATION_TEMPORALITY_DELTA`. 0: there is none. */
export function temporalityNamed(text: string): number {
  const at = TEMPORALITIES.findIndex((word) => text === `AGGREGATION_TEMPORALITY_${word.toUpperCase()}`);
  return at === -1 ? Number(text) || 0 : at;
}
