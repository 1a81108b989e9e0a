import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WORKS } from '../anchors/works.ts';
import { GNU_TIME, isInstalled, leftOut, PERF, STRACE } from '../installed.ts';
import { generatedLog } from '../logs.ts';
import { progress, type Benchmark, type Figure } from '../report.ts';
import { pidOf } from '../process-memory.ts';
import { folder } from '../samples.ts';
import { withWindow } from '../window-process.ts';
import { sharesOf } from './samples.ts';

/** Calls of the system that threads cost. */
const CALLS = { futex: 'futexes', clone3: 'threads and processes' } as const;
const MILLION = 1e6;

/** Shows the processor time of our works on an access log, and of the window's engine, by kind, and what the works ask of the kernel. */
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
      const within = async (tool: (work: Work) => Figure[]): Promise<void> => {
        progress(what);
        const own = mkdtempSync(join(folder, 'profile-'));
        figures.push(...tool({ command: await command(log, own), base: join(own, 'base') }).map((figure) => of(what, figure)));
        rmSync(own, { recursive: true });
      };
      if (!missing.includes(GNU_TIME)) await within((work) => usage(work, lines));
      if (!missing.includes(STRACE)) await within((work) => calls(work, lines));
      if (!missing.includes(PERF)) await within(sharesOfWork);
    }
    if (!missing.includes(PERF)) figures.push(...(await engineFigures(log)));
    return figures;
  },
};

const of = (what: string, figure: Figure): Figure => ({ ...figure, what: `${what}: ${figure.what}` });

/** A command, and the folder where it keeps how far it has read. */
interface Work {
  readonly command: readonly string[];
  readonly base: string;
}

/** Runs a command with its output thrown away. @throws Error with what it wrote to standard error */
function run([command = '', ...args]: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`, { cause: error });
}

/** Runs a command once to fill its caches, and again, from the first line on, under a tool that writes a file. */
function written({ command, base }: Work, under: (file: string) => readonly string[]): string {
  const file = join(folder, 'profile.out');
  for (const words of [command, [...under(file), ...command]]) {
    rmSync(base, { recursive: true, force: true });
    mkdirSync(base);
    run(words);
  }
  return file;
}

/** Page faults, switches between threads, and processor time, of a command and of all processes that it waits for. */
function usage(work: Work, lines: number): Figure[] {
  const file = written(work, (output) => ['/usr/bin/time', '-o', output, '-f', '%U %S %R %w %c']);
  const [user, system, faults, waits, preemptions] = readFileSync(file, 'utf8').trim().split(' ').map(Number) as number[] & { length: 5 };
  const each = (count: number): number => (count * MILLION) / lines;
  return [
    { what: 'processor time', value: each((user as number) + (system as number)), unit: 'µs/line' },
    { what: 'page faults', value: each(faults as number), unit: '/M lines' },
    { what: 'switches of threads', value: each((waits as number) + (preemptions as number)), unit: '/M lines' },
  ];
}

/** Calls of the system, in a run that counting makes slower. */
function calls(work: Work, lines: number): Figure[] {
  const names = Object.keys(CALLS) as (keyof typeof CALLS)[];
  const file = written(work, (output) => ['strace', '-f', '-qq', '-c', '-U', 'calls,name', '-e', `trace=${names.join(',')}`, '-o', output]);
  const counted = readFileSync(file, 'utf8');
  return names.map((name) => ({
    what: CALLS[name],
    value: (Number(new RegExp(`^\\s*(\\d+) ${name}$`, 'm').exec(counted)?.[1] ?? 0) * MILLION) / lines,
    unit: '/M lines',
  }));
}

/** `perf record` into a file, with a thousand samples a second of each processor. */
const record = (output: string): string[] => ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', '999', '-o', output];

/** The shares of a command's processor time. */
const sharesOfWork = (work: Work): Figure[] => shares(written(work, record), []);

/** @param only further arguments that select samples */
function shares(file: string, only: readonly string[]): Figure[] {
  const args = ['script', '-i', file, '-F', 'period,ip,sym,dso', ...only];
  const { stdout } = spawnSync('perf', args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  rmSync(file);
  return sharesOf(stdout).map(([what, value]) => ({ what, value, unit: '%' }));
}

/** The shares of the processor time of the window's engine until it has read a log; none without Electron. */
async function engineFigures(log: string): Promise<Figure[]> {
  if (process.env.SLUICEBOX_ELECTRON === undefined) return [];
  const what = "the window's engine";
  progress(what);
  const data = mkdtempSync(join(folder, 'profile-'));
  const file = join(data, 'profile.out');
  await readInWindow(data, log, () => undefined);
  // The whole machine is recorded: of a process that runs already, perf leaves out the threads that begin later.
  const [command = '', ...args] = [...record(file), '-a'];
  let recorder: ChildProcess | undefined;
  let only = '';
  await readInWindow(data, log, (engine) => {
    only = String(engine);
    recorder = spawn(command, args, { stdio: 'ignore' });
  });
  if (recorder?.kill('SIGINT') === true) await once(recorder, 'exit');
  const figures = shares(file, ['--pid', only]).map((figure) => of(what, figure));
  rmSync(data, { recursive: true });
  return figures;
}

/** Opens the window, tells the number of its engine as soon as that lives, and closes it when the log is read. */
function readInWindow(data: string, log: string, onEngine: (pid: number) => void): Promise<void> {
  return withWindow({ data, file: log }, async ({ pid, marks }) => {
    let engine: number | undefined;
    const timer = setInterval(() => {
      engine = pidOf(pid, 'engine');
      if (engine === undefined) return;
      clearInterval(timer);
      onEngine(engine);
    }, 20);
    for await (const { mark } of marks) if (mark === 'seen') break;
    clearInterval(timer);
  });
}
