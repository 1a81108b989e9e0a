/** Parses the configuration of anomaly tests: a string of calls such as `roc("HTTP Status", 2, 15, 0, 1.5, true, false)`. */
import { checkString } from './arguments.ts';

/** Rate of change: the mean of a window against the one before, measured in standard deviations of the history. */
export interface RateOfChange {
  readonly algorithm: 'roc';
  readonly col: number;
  readonly win: number;
  /** Rows of history; 0: all there are. */
  readonly hwin: number;
  /** Standard deviations that the change must exceed. */
  readonly sd: number;
  readonly loss_of_data: boolean;
  readonly start_of_data: boolean;
}

/** Mann-Whitney-Wilcoxon: the newest window against each of the earlier ones. */
export interface RankSum {
  readonly algorithm: 'mww';
  readonly col: number;
  readonly win: number;
  /** Windows, the newest included. */
  readonly nwin: number;
  /** A comparison counts when its p-value is below this. */
  readonly pvalue: number;
  readonly trend: 'decreasing' | 'increasing' | 'any';
}

/** The same windows, by the average of the U statistics. */
export interface NonParametric {
  readonly algorithm: 'mww_nonparametric';
  readonly col: number;
  readonly win: number;
  readonly nwin: number;
  /** 0 to 1: below 0.5 finds falling values, above rising ones. */
  readonly pstat: number;
}

export type AnomalyTest = RateOfChange | RankSum | NonParametric;

/** The size of a graph, as far as a test needs it. */
export interface GraphSize {
  /** Unknown for a graph whose size comes with its data. */
  readonly rows?: number;
  readonly columns?: number;
}

/** The tests of each graph, and when they last ran. */
export interface AnomalyConfig {
  /** By payload name, in the order of the configuration. */
  readonly tests: Map<string, readonly AnomalyTest[]>;
  /** Nanoseconds of the last run, by payload name. */
  readonly lastRun: Map<string, number>;
}

const INTEGER = /\d+/y;
const DECIMAL = /\d+(?:\.\d+)?/y;
const PROBABILITY = /0(?:\.\d+)?/y;
const BOOLEAN = /true|false/y;
const TREND = /decreasing|increasing|any/y;
const NAME = /"(?:[^"]|"")+"/y;
const CALL = /[ \t\n\r\f\v]*(roc|mww|mww_nonparametric)\(/y;
const SEPARATOR = /,[ \t\n\r\f\v]*/y;
const CLOSE = /\)/y;

/**
 * Reads a configuration: calls of `roc("name", col, win, hwin, sd, loss_of_data, start_of_data)`, `mww("name", col, win, nwin, pvalue, trend)`
 * and `mww_nonparametric("name", col, win, nwin, pstat)`, one after the other. A quote in a name is doubled. null has no tests; raises an
 * error that names the place where the text stops making sense, an empty one included.
 */
export function parse_config(text: string | null | undefined): AnomalyConfig {
  const config: AnomalyConfig = { tests: new Map(), lastRun: new Map() };
  if (text === null || text === undefined) return config;
  checkString('parse_config', 1, text);
  const reader = new ConfigReader(text);
  do {
    const [name, test] = readCall(reader);
    config.tests.set(name, [...(config.tests.get(name) ?? []), test]);
  } while (!reader.atEnd);
  return config;
}

/**
 * Raises an error for the first test that its graph can never have. `sizeOf` tells the size of a graph by its name, or null when there is no such
 * graph.
 */
export function checkTests({ tests }: AnomalyConfig, sizeOf: (name: string) => GraphSize | null, names: readonly string[] = []): void {
  for (const [name, list] of tests) {
    const size = sizeOf(name);
    for (const test of list) {
      const known = names.map((other) => JSON.stringify(other)).join(', ');
      const reason = size === null ? `there is no such graph, only ${known}` : misfit(test, size);
      if (reason !== null) throw new RangeError(`anomaly_config: ${callText(name, test)}: ${reason}`);
    }
  }
}

/** The reason for which a test does not fit a graph of this size; null when it does. */
export function misfit(test: AnomalyTest, { rows = Infinity, columns = Infinity }: GraphSize): string | null {
  const { algorithm, col, win } = test;
  if (col < 1) return `column ${col} out of range: columns count from 1`;
  if (col > columns) return `column ${col} out of range: the graph has ${columns}`;
  if (win === 0) return 'a window needs at least one row';
  const needed = algorithm === 'roc' ? historyEnd(test) : win * test.nwin + 1;
  if (algorithm === 'roc' && test.hwin > 0 && test.hwin < win)
    return `the historical window of ${test.hwin} rows is shorter than the window of ${win}`;
  return needed > rows ? `the windows do not fit into the graph: they need ${needed} rows, and it has ${rows}` : null;
}

/** The rows that a graph needs for both windows, the history, and the newest row, which does not count. */
function historyEnd({ win, hwin }: RateOfChange): number {
  return Math.max(win * 3 + 1, hwin === 0 ? 0 : win * 2 + hwin + 1);
}

/** The call that a test was. */
function callText(name: string, test: AnomalyTest): string {
  const { algorithm, col, win } = test;
  const title = `"${name.replaceAll('"', '""')}"`;
  const rest =
    algorithm === 'roc'
      ? [test.hwin, test.sd, test.loss_of_data, test.start_of_data]
      : [test.nwin, ...(algorithm === 'mww' ? [test.pvalue, test.trend] : [test.pstat])];
  return `${algorithm}(${[title, col, win, ...rest].join(', ')})`;
}

function readCall(reader: ConfigReader): [name: string, test: AnomalyTest] {
  const algorithm = reader.call();
  const name = reader.take(NAME, 'a name in double quotes').slice(1, -1).replaceAll('""', '"');
  const col = reader.number(INTEGER);
  const win = reader.number(INTEGER);
  let test: AnomalyTest;
  if (algorithm === 'roc') {
    const hwin = reader.number(INTEGER);
    const sd = reader.number(DECIMAL);
    test = { algorithm, col, win, hwin, sd, loss_of_data: reader.boolean(), start_of_data: reader.boolean() };
  } else if (algorithm === 'mww') {
    const nwin = reader.number(INTEGER);
    const pvalue = reader.number(DECIMAL);
    test = { algorithm, col, win, nwin, pvalue, trend: reader.parameter(TREND, 'decreasing, increasing or any') as RankSum['trend'] };
  } else {
    const nwin = reader.number(INTEGER);
    test = { algorithm, col, win, nwin, pstat: reader.number(PROBABILITY) };
  }
  reader.take(CLOSE, 'a closing parenthesis');
  return [name, test];
}

class ConfigReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at === this.#text.length;
  }

  take(pattern: RegExp, expected: string, group = 0): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new SyntaxError(`anomaly_config: ${expected} expected at character ${this.#at + 1} of: ${this.#text}`);
    this.#at = pattern.lastIndex;
    return match[group] as string;
  }

  call(): AnomalyTest['algorithm'] {
    return this.take(CALL, 'roc, mww or mww_nonparametric', 1) as AnomalyTest['algorithm'];
  }

  parameter(pattern: RegExp, expected: string): string {
    this.take(SEPARATOR, 'a comma');
    return this.take(pattern, expected);
  }

  number(pattern: RegExp): number {
    return Number(this.parameter(pattern, pattern === PROBABILITY ? 'a number from 0 to below 1' : 'a number'));
  }

  boolean(): boolean {
    return this.parameter(BOOLEAN, 'true or false') === 'true';
  }
}
