import type { FilterSection } from '../../../../engine/api/types.ts';

/** The parameters of filters with graphs for the tests of these, and for the seconds of a row. */
const TESTS = 'anomaly_config';
const ROW_SECONDS = 'sec_per_row';
/** Standard deviations that a sudden change exceeds. */
const DEVIATIONS = 3;
/** Windows that are compared with the newest one, which counts as well, and the probability below which a difference counts. */
const WINDOWS = 10;
const PROBABILITY = 0.001;

/** Conditions of alerts about a column of a graph. */
export const ALERT_KINDS = [
  { kind: 'changes', label: 'changes suddenly' },
  { kind: 'ends', label: 'changes suddenly, or has no values any more' },
  { kind: 'begins', label: 'changes suddenly, or has values where it had none' },
  { kind: 'high', label: 'is unusually high for a while' },
  { kind: 'low', label: 'is unusually low for a while' },
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number]['kind'];

/** A test of a graph that sends an alert. */
export interface GraphTest {
  readonly kind: AlertKind;
  /** Title of the graph, as its filter has it. */
  readonly title: string;
  /** Number of the column, from 1 on. */
  readonly column: number;
  /** Rows of a window. */
  readonly rows: number;
  /** Seconds of a row of the graph. */
  readonly rowSeconds: number;
}

/** The test as the parameter `anomaly_config` has it. */
export function testCall({ kind, title, column, rows }: Omit<GraphTest, 'rowSeconds'>): string {
  const graph = `"${title.replaceAll('"', '""')}", ${column}, ${rows}`;
  if (kind === 'high' || kind === 'low')
    return `mww(${graph}, ${WINDOWS}, ${PROBABILITY}, ${kind === 'high' ? 'increasing' : 'decreasing'})`;
  return `roc(${graph}, 0, ${DEVIATIONS}, ${kind === 'ends'}, ${kind === 'begins'})`;
}

/**
 * A filter with one test more, at whose ticks each row of the graph is tested. Tests count in rows, so these keep their length from now on.
 * @param parameters those that the script of the filter has
 * @returns why it cannot have the test, or the filter with it
 */
export function withTest(section: FilterSection, parameters: readonly string[], test: GraphTest): FilterSection | string {
  if (!parameters.includes(TESTS)) return `The script of ${section.name} has no tests of its graphs: it has no parameter ${TESTS}.`;
  const { config, ticker } = section;
  const before = config[TESTS];
  const call = testCall(test);
  if (typeof before === 'string' && before.includes(call)) return 'There is such an alert already.';
  const tests = typeof before === 'string' ? `${before} ${call}` : call;
  const rows = parameters.includes(ROW_SECONDS) ? { [ROW_SECONDS]: config[ROW_SECONDS] ?? test.rowSeconds } : {};
  const own = ticker === 0 ? test.rowSeconds : Math.min(ticker, test.rowSeconds);
  return { ...section, ticker: own, config: { ...config, ...rows, [TESTS]: tests } };
}
