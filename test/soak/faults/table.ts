import { isKept, type Fault, type FaultResult } from './fault.ts';

/** What came of all tries of a fault; or why it was left out. */
export interface Row {
  readonly fault: Pick<Fault, 'name' | 'promise'>;
  readonly results: readonly FaultResult[] | string;
}

const PROMISES = { once: 'nothing lost, nothing twice', kept: 'nothing lost', told: 'what is lost is told' } as const;
const BEGIN = '<!-- faults: written by npm run soak -- --all -->';
const END = '<!-- /faults -->';

const number = (value: number): string => value.toLocaleString('en');

const HEAD = ['| Fault | Promise | Tried | Lost | Twice | Late | |', '| --- | --- | ---: | ---: | ---: | ---: | --- |'];

/** A row as a line of Markdown. */
function lineOf({ fault, results }: Row): string {
  const promise = PROMISES[fault.promise];
  if (typeof results === 'string') return `| ${fault.name} | ${promise} | left out: ${results} | | | | |`;
  const sum = (of: (one: FaultResult) => number): string => number(results.reduce((total, one) => total + of(one), 0));
  const late = Math.max(...results.map((one) => one.late));
  const notes = [...new Set(results.flatMap(({ note }) => (note === undefined ? [] : [note])))].join('; ');
  const figures = [
    sum(({ tried }) => tried),
    sum(({ lost }) => lost),
    sum(({ repeated }) => repeated),
    late === 0 ? 'no' : `${number(late)} ms`,
  ];
  return `| ${[fault.name, promise, ...figures, notes].join(' | ')} |`;
}

/**
 * The page with these rows in its table, between the markers. A fault that was not tried keeps its row.
 * @param order the names of all faults: a row of another one is left out
 * @throws {Error} when the page has no place for the table
 */
export function withRows(page: string, rows: readonly Row[], order: readonly string[]): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`the page has no place for the table between ${BEGIN} and ${END}`);
  const start = from + BEGIN.length;
  const old = page
    .slice(start, to)
    .split('\n')
    .map((line) => [line.split('|')[1]?.trim(), line] as const);
  const lines = new Map([...old, ...rows.map((row) => [row.fault.name, lineOf(row)] as const)]);
  const text = [...HEAD, ...order.flatMap((name) => lines.get(name) ?? [])].join('\n');
  return `${page.slice(0, start)}\n\n${text}\n\n${page.slice(to)}`;
}

/** The faults whose promises were not kept, one line each. */
export const broken = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ fault, results }) =>
    typeof results === 'string'
      ? []
      : results.filter((one) => !isKept(fault, one)).map((one) => `${fault.name}: ${JSON.stringify({ ...one, said: undefined })}`),
  );
