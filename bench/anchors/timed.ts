import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '../samples.ts';

/** Time and processor time of one run of a command. */
export interface Times {
  /** From the start of the command to its end. */
  readonly seconds: number;
  /** Processor time, user and system, of the command and of all processes below it. */
  readonly cpuSeconds: number;
}

const ERRORS = join(folder, 'errors.txt');
/** `times` prints, in its second line, what the children of the shell and their children have used. */
const SCRIPT = 'errors=$1; shift; "$@" >/dev/null 2>"$errors"; code=$?; times; exit $code';
const CHILDREN = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s/;

/**
 * Runs a command to its end, with its output thrown away.
 * @param silent what it writes to standard error is a failure: a filter that has ended costs nothing
 * @throws Error with the last line of its standard error when it fails
 */
export function timed(command: readonly string[], { silent }: { readonly silent: boolean }): Times {
  const env = { ...process.env, LC_ALL: 'C', HOME: folder, XDG_CONFIG_HOME: folder };
  const started = performance.now();
  const { status, stdout } = spawnSync('sh', ['-c', SCRIPT, 'sh', ERRORS, ...command], { encoding: 'utf8', env });
  const seconds = (performance.now() - started) / 1000;
  const used = CHILDREN.exec(stdout);
  const said = readFileSync(ERRORS, 'utf8');
  if (status !== 0 || used === null || (silent && said !== ''))
    throw new Error(`${command.join(' ')} ended with ${status}: ${lastLine(said)}`);
  const [, userMinutes, user, systemMinutes, system] = used.map(Number) as [number, number, number, number, number];
  return { seconds, cpuSeconds: (userMinutes + systemMinutes) * 60 + user + system };
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
