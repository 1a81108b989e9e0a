/** The eight severities, and 8 for records that have none. */
import { SEVERITY_NAMES } from '../../../engine/api/severities.ts';

export interface Severity {
  /** The word in lists. */
  readonly short: string;
  readonly name: string;
  /** A shape beside the word, so that colour is never alone. */
  readonly shape: 'octagon' | 'triangle' | 'diamond' | 'dot' | 'ring' | 'none';
}

export const UNSET = 8;

const SHAPES: readonly Severity['shape'][] = ['octagon', 'octagon', 'octagon', 'triangle', 'diamond', 'dot', 'dot', 'ring'];

export const SEVERITIES: readonly Severity[] = [
  ...SEVERITY_NAMES.map(([short, name], number) => ({ short, name, shape: SHAPES[number] ?? 'none' })),
  { short: '', name: 'No severity', shape: 'none' },
];

/** The entry of a severity; of none, or of a number that is no severity, the last. */
export function severityOf(severity: number | null): Severity {
  return SEVERITIES[severityIndex(severity)] as Severity;
}

/** Its index among the entries and the colour tokens. */
export function severityIndex(severity: number | null): number {
  return severity !== null && Number.isInteger(severity) && severity >= 0 && severity < UNSET ? severity : UNSET;
}
