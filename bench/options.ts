import { parseArgs } from 'node:util';

/** Sizes, durations and numbers of runs; a benchmark that does not use one has its own. */
export interface BenchOptions {
  readonly lines: number;
  readonly rounds: number;
  /** Of each flood of datagrams. */
  readonly seconds: number;
  /** Of each flood over TCP. */
  readonly messages: number;
  /** The page of the documentation that shows the figures is written, too. */
  readonly write: boolean;
}

export const USAGE = `Usage: npm run bench -- [NAME…] [OPTIONS]

      --lines N     lines of the generated logs (1,000,000)
      --rounds N    times that each program has its turn; figures are medians (3)
      --seconds N   length of each flood of udp (10)
      --messages N  messages of each flood of tcp (3,000,000; with fewer, the start counts more)
      --write       writes docs/performance.md
      --help        prints this

Lines and rounds are those of anchors, growth, ask and window, lines also those of hops, edges and profile; clicks and difference have five times the lines. Benchmarks, all of which run without a NAME:
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
      seconds: { type: 'string', default: '10' },
      messages: { type: 'string', default: '3000000' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { write, help } = values;
  const [lines, rounds, seconds, messages] = (['lines', 'rounds', 'seconds', 'messages'] as const).map((name) =>
    count(name, values[name]),
  ) as [number, number, number, number];
  return { names, help, options: { lines, rounds, seconds, messages, write } };
}

function count(name: string, text: string): number {
  if (!/^[1-9][\d_]*$/.test(text)) throw new Error(`--${name} is a whole number from 1 on, not "${text}"`);
  return Number(text.replaceAll('_', ''));
}
