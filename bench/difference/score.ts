import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Difference } from '../../engine/api/difference-types.ts';
import { Output } from '../../engine/cli/output.ts';
import { parseDecoding } from '../../engine/cli/file-decoders.ts';
import { compareFiles } from '../../engine/cli/query/compared-files.ts';
import { differenceLines } from '../../engine/cli/query/difference-text.ts';
import { folder } from '../samples.ts';
import { writePair } from './pairs.ts';

/** Rows in which the cause must be. */
const FIRST = 3;

export interface Score {
  readonly incidents: number;
  readonly found: number;
  readonly quiet: number;
  /** Rows of quiet pairs. */
  readonly falseRows: number;
  /** Lines about what was missed, and about false rows. */
  readonly notes: readonly string[];
}

/** Compares so many pairs with an incident and as many quiet ones, from a seed on. */
export async function scoreOf(from: number, pairs: number, tell: (what: string) => void): Promise<Score> {
  const notes: string[] = [];
  let [found, falseRows] = [0, 0];
  for (let seed = from; seed < from + pairs; seed++)
    for (const isQuiet of [false, true]) {
      const place = mkdtempSync(join(folder, 'pair-'));
      const pair = writePair(place, seed, isQuiet);
      tell(pair.name);
      const answer = await compare(pair.a, pair.b, place);
      const told = (count: number): string => differenceLines({ ...answer, rows: answer.rows.slice(0, count) }, pair, false).join('\n');
      if (pair.incident === null) {
        falseRows += answer.rows.length;
        if (answer.rows.length > 0) notes.push(`${pair.name}: false\n${told(10)}`);
      } else if (
        answer.rows
          .slice(0, FIRST)
          .some((row) => (pair.incident as { cause: RegExp }).cause.test([row.text, ...row.causes.map(({ text }) => text)].join('\n')))
      )
        found++;
      else notes.push(`${pair.name}: not found (${pair.incident.cause.source})\n${told(10)}`);
      rmSync(place, { recursive: true, force: true });
    }
  return { incidents: pairs, found, quiet: pairs, falseRows, notes };
}

async function compare(a: string, b: string, place: string): Promise<Difference> {
  const complain = (): void => undefined;
  const decoding = parseDecoding(
    { decoder: undefined, set: [], scripts: undefined, 'only-decoded': false, strict: false, quiet: true },
    complain,
  );
  const { answer } = await compareFiles(
    {
      sources: [
        { source: 1, paths: [a] },
        { source: 2, paths: [b] },
      ],
      decoding,
      folder: place,
      without: [],
      sides: { a: { sources: [1] }, b: { sources: [2] } },
    },
    { out: new Output(process.stdout), complain, signal: new AbortController().signal },
  );
  return answer;
}
