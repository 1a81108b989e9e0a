/**
 * `npm run soak -- --all [--minutes 10] [--seed 1] [--only WORDS]`: tries all faults, three seeds of rotation and one of the others, or as many as the time suffices for, and
 * writes the table of docs/failures.md. With `--only`, the faults whose names have these words: the others keep their rows. Its exit code is 1 when a promise was not kept.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { clocks } from './clocks.ts';
import { datagrams } from './datagrams.ts';
import { disks } from './disks.ts';
import { engines } from './engines.ts';
import { isKept, type Fault, type FaultResult } from './fault.ts';
import { frozen } from './frozen.ts';
import { subjects } from './garbage.ts';
import { kills } from './kills.ts';
import { manyFiles } from './many-files.ts';
import { rotations } from './rotations.ts';
import { stale } from './stale.ts';
import { stops } from './stops.ts';
import { stores } from './stores.ts';
import { strangers } from './strangers.ts';
import { broken, withRows, type Row } from './table.ts';

const PAGE = join(import.meta.dirname, '../../../docs/failures.md');
const FAULTS: readonly Fault[] = [
  ...rotations,
  ...kills,
  ...stops,
  ...frozen,
  ...disks,
  ...clocks,
  ...stale,
  ...datagrams,
  ...subjects,
  ...stores,
  ...engines,
  ...strangers,
  ...manyFiles,
];
/** Faults that are tried side by side. */
const AT_ONCE = 2;
/** Minutes of the short form. */
const SHORT = 10;

const { values } = parseArgs({
  options: { all: { type: 'boolean' }, minutes: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const length = Math.max(1, Math.round(Number(values.minutes ?? SHORT) / SHORT));
const seed = Number(values.seed ?? 1);
const { only } = values;

const chosen = FAULTS.filter(({ name }) => only === undefined || name.includes(only));
const done = new Map<Fault, Row>();
const rowsDone = (): Row[] => chosen.flatMap((fault) => done.get(fault) ?? []);

async function tryFault(fault: Fault): Promise<Row> {
  const missing = fault.missing?.() ?? null;
  if (missing !== null) return { fault, results: missing };
  const results: FaultResult[] = [];
  for (const each of rotations.includes(fault) ? [seed, seed + 1, seed + 2] : [seed]) {
    const begun = performance.now();
    const result = await fault.run({ seed: each, length });
    results.push(result);
    const { said = '', ...figures } = result;
    process.stdout.write(`${fault.name}: ${JSON.stringify(figures)} in ${Math.round((performance.now() - begun) / 1000)} s\n`);
    if (!isKept(fault, result)) process.stdout.write(`The process said last:\n${said}\n`);
  }
  return { fault, results };
}

const waiting = [...chosen];
/** Most of the time each one waits. */
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      done.set(fault, await tryFault(fault));
      const order = FAULTS.map(({ name }) => name);
      writeFileSync(PAGE, withRows(readFileSync(PAGE, 'utf8'), rowsDone(), order));
    }
  }),
);
const rows = rowsDone();
writeFileSync(PAGE, await format(readFileSync(PAGE, 'utf8'), { ...(await resolveConfig(PAGE)), filepath: PAGE }));
const problems = broken(rows);
for (const problem of problems) process.stdout.write(`not kept: ${problem}\n`);
process.exit(problems.length > 0 ? 1 : 0);
