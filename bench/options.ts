import { parseArgs } from 'node:util';

/** How large and how often; a benchmark that does not speak of it has its own sizes. */
export interface BenchOptions {
  readonly lines: number;
  readonly rounds: number;
  /** The page of the documentation that shows the figures is written, too. */
  readonly write: boolean;
}

export const USAGE = `Usage: npm run bench -- [NAME…] [OPTIONS]

      --lines N    lines of the generated logs (1,000,000)
      --rounds N   times that each program has its turn; figures are medians (3)
      --write      writes docs/performance.md
      --help       prints this

Lines and rounds are those of anchors, growth and ask. Benchmarks, all of which run without a NAME:
`;

/** Reads the arguments of the command. @throws Error that says which is wrong */
export function readOptions(args: readonly string[]): {
  readonly names: readonly string[];
  readonly help: boolean;
  readonly options: BenchOptions;
} {
  const { values, positionals: names } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      lines: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '3' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { write, help } = values;
  return { names, help, options: { lines: count('lines', values.lines), rounds: count('rounds', values.rounds), write } };
}

function count(name: string, text: string): number {
  if (!/^[1-9][\d_]*$/.test(text)) throw new Error(`--${name} is a whole number from 1 on, not "${text}"`);
  return Number(text.replaceAll('_', ''));
}
