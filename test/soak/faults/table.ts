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

/** The rows as a table in Markdown. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ fault, results }) => {
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
  });
  return ['| Fault | Promise | Tried | Lost | Twice | Late | |', '| --- | --- | ---: | ---: | ---: | ---: | --- |', ...lines].join('\n');
}

/** The page with another table in the place that its markers name. @throws {Error} when it has none */
export function withTable(page: string, text: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`the page has no place for the table between ${BEGIN} and ${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${text}\n\n${page.slice(to)}`;
}

/** The faults whose promises were not kept, one line each. */
export const broken = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ fault, results }) =>
    typeof results === 'string'
      ? []
      : results.filter((one) => !isKept(fault, one)).map((one) => `${fault.name}: ${JSON.stringify({ ...one, said: undefined })}`),
  );
