import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WORKS } from '../anchors/works.ts';
import { GNU_TIME, isInstalled, leftOut, PERF, STRACE } from '../installed.ts';
import { generatedLog } from '../logs.ts';
import { progress, type Benchmark, type Figure } from '../report.ts';
import { folder } from '../samples.ts';
import { sharesOf } from './samples.ts';

/** Calls of the system that threads cost. */
const CALLS = { futex: 'futexes', clone3: 'threads and processes' } as const;
const MILLION = 1e6;

/** Shows the processor time of our works on an access log by kind, and what they ask of the kernel. */
export const profileBenchmark: Benchmark = {
  name: 'profile',
  title: 'Processor time by kind, and what is asked of the kernel, on an access log',
  async run({ lines }) {
    const tools = [PERF, STRACE, GNU_TIME];
    const missing = tools.filter((tool) => !isInstalled(tool));
    if (missing.length > 0) process.stdout.write(`${leftOut(missing)}\n`);
    const log = generatedLog('access', lines).path;
    const figures: Figure[] = [];
    for (const { task, what, command } of WORKS) {
      if (task !== 'access' || command === undefined || !/^(?:run|decode):/.test(what)) continue;
      const within = async (tool: (command: readonly string[]) => Figure[]): Promise<void> => {
        progress(what);
        const own = mkdtempSync(join(folder, 'profile-'));
        mkdirSync(join(own, 'base'));
        figures.push(...tool(await command(log, own)).map((figure) => ({ ...figure, what: `${what}: ${figure.what}` })));
        rmSync(own, { recursive: true });
      };
      if (!missing.includes(GNU_TIME)) await within((words) => usage(words, lines));
      if (!missing.includes(STRACE)) await within((words) => calls(words, lines));
      if (!missing.includes(PERF)) await within(shares);
    }
    return figures;
  },
};

/** Runs a command with its output thrown away. @throws Error with what it wrote to standard error */
function run([command = '', ...args]: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`, { cause: error });
}

/** Runs a command once to fill its caches, and again under a tool that writes a file. */
function written(command: readonly string[], under: (file: string) => readonly string[]): string {
  const file = join(folder, 'profile.out');
  run(command);
  run([...under(file), ...command]);
  return file;
}

/** Page faults, switches between threads, and processor time, of a command and of all processes that it waits for. */
function usage(command: readonly string[], lines: number): Figure[] {
  const file = written(command, (output) => ['/usr/bin/time', '-o', output, '-f', '%U %S %R %w %c']);
  const [user, system, faults, waits, preemptions] = readFileSync(file, 'utf8').trim().split(' ').map(Number) as number[] & { length: 5 };
  const each = (count: number): number => (count * MILLION) / lines;
  return [
    { what: 'processor time', value: each((user as number) + (system as number)), unit: 'µs/line' },
    { what: 'page faults', value: each(faults as number), unit: '/M lines' },
    { what: 'switches of threads', value: each((waits as number) + (preemptions as number)), unit: '/M lines' },
  ];
}

/** Calls of the system, in a run that counting makes slower. */
function calls(command: readonly string[], lines: number): Figure[] {
  const names = Object.keys(CALLS) as (keyof typeof CALLS)[];
  const file = written(command, (output) => [
    'strace',
    '-f',
    '-qq',
    '-c',
    '-U',
    'calls,name',
    '-e',
    `trace=${names.join(',')}`,
    '-o',
    output,
  ]);
  const counted = readFileSync(file, 'utf8');
  return names.map((name) => ({
    what: CALLS[name],
    value: (Number(new RegExp(`^\\s*(\\d+) ${name}$`, 'm').exec(counted)?.[1] ?? 0) * MILLION) / lines,
    unit: '/M lines',
  }));
}

/** The shares of the processor time, by a thousand samples a second of each processor. */
function shares(command: readonly string[]): Figure[] {
  const file = written(command, (output) => ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', '999', '-o', output]);
  const { stdout } = spawnSync('perf', ['script', '-i', file, '-F', 'period,ip,sym,dso'], { encoding: 'utf8', maxBuffer: 1 << 30 });
  rmSync(file);
  return sharesOf(stdout).map(([what, value]) => ({ what, value, unit: '%' }));
}
