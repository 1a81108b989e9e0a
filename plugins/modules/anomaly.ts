/**
 * Anomaly detection on graphs: rate of change (`roc`), Mann-Whitney-Wilcoxon (`mww`) and its non-parametric form. A test looks at the complete
 * rows only; the newest row is still being filled.
 */
import { create, type Annotation } from './annotation.ts';
import {
  misfit,
  type AnomalyConfig,
  type AnomalyTest,
  type NonParametric,
  type RankSum,
  type RateOfChange,
} from '../base/anomaly_config.ts';
import { checkString, timeArgument, unexpected } from '../base/arguments.ts';
import { CircularBuffer } from './circular_buffer.ts';
import { formatSignificant } from '../base/number_format.ts';

export { checkTests, parse_config, type AnomalyConfig, type AnomalyTest, type GraphSize } from '../base/anomaly_config.ts';

/** The rows that a test can look at: times in nanoseconds, of the newest row and of the step from row to row. */
interface Graph {
  readonly buffer: CircularBuffer;
  readonly rows: number;
  readonly columns: number;
  readonly step: number;
  readonly newest: number;
}

/**
 * Runs the tests that `config` has for the graph `name`, at most once for each row. Returns the alert text, one line for each anomaly, and the
 * annotations for it; null when nothing was found. Moves the graph on to `ns` when it is behind.
 */
export function detect(
  ns: number | bigint,
  name: string,
  buffer: CircularBuffer,
  config: AnomalyConfig,
): [message: string, annotations: Annotation[]] | null {
  const time = timeArgument('detect', 1, ns);
  checkString('detect', 2, name);
  if (!(buffer instanceof CircularBuffer)) throw unexpected('detect', 3, 'CircularBuffer', buffer);
  if (!(config?.tests instanceof Map)) throw unexpected('detect', 4, 'result of parse_config', config);
  if (buffer.get(ns, 1) === null) buffer.add(ns, 1, NaN);
  const tests = config.tests.get(name);
  if (tests === undefined) return null;

  const [rows, columns, secondsPerRow] = buffer.get_configuration();
  const graph: Graph = { buffer, rows, columns, step: secondsPerRow * 1e9, newest: buffer.current_time() };
  const lastRun = config.lastRun.get(name) ?? 0;
  if (time <= lastRun || time - lastRun < graph.step) return null;
  config.lastRun.set(name, time);

  const messages: string[] = [];
  const annotations: Annotation[] = [];
  for (const test of tests) {
    const reason = run(graph, test);
    if (reason === null) continue;
    messages.push(`${name} - algorithm: ${test.algorithm} col: ${test.col} msg: ${reason}`);
    annotations.push(create(graph.newest, test.col, 'A', reason));
  }
  return messages.length === 0 ? null : [messages.join('\n'), annotations];
}

function run(graph: Graph, test: AnomalyTest): string | null {
  const reason = misfit(test, graph);
  if (reason !== null) throw new RangeError(`${test.algorithm}: ${reason}`);
  switch (test.algorithm) {
    case 'roc':
      return rateOfChange(graph, test);
    case 'mww':
      return rankSum(graph, test);
    case 'mww_nonparametric':
      return nonParametric(graph, test);
  }
}

function rateOfChange({ buffer, rows, step, newest }: Graph, test: RateOfChange): string | null {
  const { col, win, hwin, sd } = test;
  const history = hwin === 0 ? rows - 1 - 2 * win : hwin;
  const window = win * step;
  const [current, active] = buffer.compute('avg', col, newest - window, newest - step);
  const [previous, activeBefore] = buffer.compute('avg', col, newest - 2 * window, newest - window - step);
  if (test.loss_of_data && activeBefore > 0 && active === 0) return 'no new data';
  if (test.start_of_data && activeBefore === 0 && active > 0) return 'unexpected data';
  const start = newest - 2 * window - history * step;
  const [deviation] = buffer.compute('sd', col, start, newest - 2 * window - step);
  const change = Math.abs((current ?? NaN) - (previous ?? NaN));
  if (!(change > (deviation ?? NaN) * sd)) return null;
  return `detected anomaly, standard deviation exceeds ${sixDigits(sd)}`;
}

function rankSum(graph: Graph, test: RankSum): string | null {
  const { buffer, step, newest } = graph;
  const { col, win, nwin, pvalue, trend } = test;
  const [mean] = buffer.compute('avg', col, newest - win * step, newest - step);
  let hits = 0;
  for (const [start, end] of earlierWindows(graph, test)) {
    const [meanBefore] = buffer.compute('avg', col, start, end);
    const fall = (meanBefore ?? NaN) - (mean ?? NaN);
    if ((trend === 'decreasing' && !(fall > 0)) || (trend === 'increasing' && !(fall < 0))) continue;
    const result = buffer.mannwhitneyu(col, newest - win * step, newest - step, start, end);
    if (result !== null && result[1] < pvalue) hits++;
  }
  if (!(hits > nwin / 4)) return null;
  return trend === 'any' ? 'detected anomaly' : `detected anomaly, ${trend} values`;
}

function nonParametric(graph: Graph, test: NonParametric): string | null {
  const { buffer, step, newest } = graph;
  const { col, win, nwin, pstat } = test;
  let sum = 0;
  for (const [start, end] of earlierWindows(graph, test)) {
    const result = buffer.mannwhitneyu(col, newest - win * step, newest - step, start, end);
    if (result !== null) sum += result[0] / win ** 2 - 0.5;
  }
  const stat = sum / (nwin - 1) + 0.5;
  if (!((pstat < 0.5 && stat < pstat) || (pstat > 0.5 && stat > pstat))) return null;
  return `detected anomaly, pstat: ${sixDigits(stat)}`;
}

/** `%G` of C. */
function sixDigits(value: number): string {
  return formatSignificant(value, 6).toUpperCase();
}

/**
 * The windows before the newest one, latest first. The bound is one nanosecond later than the oldest window's start; at present-day times
 * that vanishes in the rounding of doubles, so all windows take part, while near 1970 the oldest is left out.
 */
function* earlierWindows({ step, newest }: Graph, { win, nwin }: RankSum | NonParametric): Generator<[number, number]> {
  const window = win * step;
  const bound = newest - window * nwin + 1;
  for (let start = newest - 2 * window; start >= bound; start -= window) yield [start, start + window - step];
}
