import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorTimes } from '../processes.ts';
import { folder } from '../samples.ts';

/** Time and processor time of one run of a command. */
export interface Times {
  /** From the start of the command to its end. */
  readonly seconds: number;
  /** Processor time, user and system, of the command and of all processes below it. */
  readonly cpuSeconds: number;
}

const ERRORS = join(folder, 'errors.txt');
/** `times` prints, in its second line, what the children of the shell and their children have used, as far as someone has waited for them. */
const SCRIPT = 'errors=$1; shift; "$@" >/dev/null 2>"$errors"; code=$?; times; exit $code';
const CHILDREN = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s/;
/** Milliseconds between two looks at the processes. */
const LOOK_MS = 20;

/**
 * Runs a command to its end, with its output thrown away.
 * @param silent what it writes to standard error is a failure: a filter that has ended costs nothing
 * @throws Error with the last line of its standard error when it fails
 */
export async function timed(command: readonly string[], { silent }: { readonly silent: boolean }): Promise<Times> {
  const env = { ...process.env, LC_ALL: 'C', HOME: folder, XDG_CONFIG_HOME: folder };
  const started = performance.now();
  const child = spawn('sh', ['-c', SCRIPT, 'sh', ERRORS, ...command], { stdio: ['ignore', 'pipe', 'inherit'], env });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  // A command may end before its hosts do, and nobody waits for these: what they had used is seen while they live.
  const seen = new Map<string, number>();
  const look = setInterval(() => processorTimes(child.pid).forEach((seconds, id) => seen.set(id, seconds)), LOOK_MS);
  const [status] = (await once(child, 'close')) as [number | null];
  clearInterval(look);
  const seconds = (performance.now() - started) / 1000;
  const used = CHILDREN.exec(stdout);
  const said = readFileSync(ERRORS, 'utf8');
  if (status !== 0 || used === null || (silent && said !== ''))
    throw new Error(`${command.join(' ')} ended with ${status}: ${lastLine(said)}`);
  const [, userMinutes, user, systemMinutes, system] = used.map(Number) as [number, number, number, number, number];
  const waitedFor = (userMinutes + systemMinutes) * 60 + user + system;
  return {
    seconds,
    cpuSeconds: Math.max(
      waitedFor,
      [...seen.values()].reduce((sum, one) => sum + one, 0),
    ),
  };
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
