import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generatedLog, type LogKind } from '../logs.ts';
import { median } from '../report.ts';
import { folder } from '../samples.ts';
import type { Times } from './timed.ts';
import type { Work } from './works.ts';

/** Time and processor time of a work: medians of several rounds. */
export interface Measured extends Times {
  readonly work: Work;
}

/** Lines with which everything is tried once, so that caches are filled, and what does not run is known before anything is measured. */
const TRIAL_LINES = 500;

/**
 * Does works in turn (A B C, A B C, …), so that what else the machine does meets all of them.
 * @param tell is called with what is done next
 * @throws Error when a program fails
 */
export async function inTurn(works: readonly Work[], lines: number, rounds: number, tell: (what: string) => void): Promise<Measured[]> {
  if (lines > TRIAL_LINES) await round(works, TRIAL_LINES, (what) => tell(`trying ${what}`));
  const times: Times[][] = [];
  for (let i = 1; i <= rounds; i++) times.push(await round(works, lines, (what) => tell(`round ${i} of ${rounds}: ${what}`)));
  return works.map((work, at) => ({
    work,
    seconds: median(times.map((taken) => (taken[at] as Times).seconds)),
    cpuSeconds: median(times.map((taken) => (taken[at] as Times).cpuSeconds)),
  }));
}

async function round(works: readonly Work[], lines: number, tell: (what: string) => void): Promise<Times[]> {
  const taken: Times[] = [];
  for (const work of works) {
    tell(work.what);
    const own = mkdtempSync(join(folder, 'work-'));
    taken.push(await work.once(lines, pathOf(work, lines), own).finally(() => rmSync(own, { recursive: true, force: true })));
  }
  return taken;
}

const pathOf = ({ task }: Work, lines: number): string => (task === 'tcp' ? '' : logOf(task, lines));

const paths = new Map<string, string>();

/** The path of a log, which is made when it is wanted first. */
function logOf(kind: LogKind, lines: number): string {
  const key = `${kind} ${lines}`;
  const path = paths.get(key) ?? generatedLog(kind, lines).path;
  paths.set(key, path);
  return path;
}
