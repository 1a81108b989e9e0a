import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

interface Ended {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a copy of the command in a project of its own whose engine is the given script. @param command the file, before it what is to run it */
function run(
  command: readonly string[],
  args: readonly string[],
  onOutput?: (kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  const [program = '', ...before] = command;
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` };
  const child = spawn(program, [...before, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stdout = '';
  let stderr = '';
  let asking: NodeJS.Timeout | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    // Again and again, until it is heard: it may hear of its engine's readiness a little later, and a signal while it ends would kill it.
    if (stdout.includes('heard')) return clearInterval(asking);
    if (onOutput !== undefined) asking ??= setInterval(() => onOutput((signal) => child.kill(signal)), 50);
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done) =>
    child.on('close', (code, signal) => {
      clearInterval(asking);
      done({ pid: child.pid, code, signal, stdout, stderr });
    }),
  );
}

const ENGINE = `
const [what, ...rest] = process.argv.slice(2) as string[];
if (what === 'echo' || what === 'run') console.log(JSON.stringify({ node: process.versions.node.split('.')[0], pid: process.pid, rest }));
if (what === 'fail') process.exitCode = Number(rest[0]);
if (what === 'crash') process.kill(process.pid, 'SIGKILL');
if (what === 'wait') {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const) process.on(signal, () => {
    console.log('heard');
    setTimeout(() => process.exit(signal.length), 500);
  });
  setInterval(() => {}, 1000);
  process.send?.('ready', undefined, undefined, () => undefined);
  console.log('waiting');
}
`;

const isWindows = process.platform === 'win32';
const WAYS = [{ way: 'Node', before: [process.execPath] }, ...(isWindows ? [] : [{ way: 'the shell', before: [] }])];

describe.each(WAYS)('bin/sluicebox, run by $way', ({ way, before }) => {
  let root = '';
  const command = (): string[] => [...before, join(root, 'bin/sluicebox')];

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sluicebox-command-'));
    mkdirSync(join(root, 'engine/cli'), { recursive: true });
    writeFileSync(join(root, 'engine/cli/main.ts'), ENGINE);
    // Node resolves the links of modules, so that what belongs to the copy must be one.
    copy(
      'bin/sluicebox',
      'bin/launcher.cjs',
      'bin/in-place.cjs',
      'bin/package.json',
      'scripts/lib/runtime.mjs',
      'scripts/lib/command-file.mjs',
      'scripts/lib/paths.mjs',
      'scripts/lib/report.mjs',
    );
    symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function copy(...paths: readonly string[]): void {
    for (const path of paths) {
      mkdirSync(resolve(root, path, '..'), { recursive: true });
      cpSync(join(project, path), join(root, path));
    }
  }

  it('hands its arguments to the engine, on Node 26', async () => {
    const { code, stdout } = await run(command(), ['echo', '--split', 'regex: +', '-']);
    expect(JSON.parse(stdout)).toMatchObject({ node: '26', rest: ['--split', 'regex: +', '-'] });
    expect(code).toBe(0);
  });

  it.each([0, 1, 2, 70])('ends with the exit code %i of the engine', async (code) => {
    expect(await run(command(), ['fail', String(code)])).toMatchObject({ code });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const)(
    'passes %s on and waits for the orderly end',
    async (signal) => {
      expect(await run(command(), ['wait'], (kill) => kill(signal))).toMatchObject({ code: signal.length });
    },
  );

  it('ends by the signal that ended the engine', async () => {
    expect(await run(command(), ['crash'])).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it.runIf(way === 'the shell')('is one process, also through a link, but for a service', async () => {
    symlinkSync(join(root, 'bin/sluicebox'), join(root, 'linked'));
    const engineOf = (stdout: string): unknown => (JSON.parse(stdout) as { pid: number }).pid;
    for (const file of [join(root, 'bin/sluicebox'), join(root, 'linked')]) {
      const { pid, stdout } = await run([file], ['echo']);
      expect(engineOf(stdout)).toBe(pid);
    }
    const service = await run(command(), ['run']);
    expect(service.code).toBe(0);
    expect(engineOf(service.stdout)).not.toBe(service.pid);
  });

  it('names the command to run when the runtime is missing', async () => {
    rmSync(join(root, 'node_modules'));
    const { code, stderr } = await run(command(), ['echo']);
    expect(code).toBe(70);
    expect(stderr).toMatch(/runtime node-[\w-]+ is missing[^]*npm ci --include=optional/);
  });
});
