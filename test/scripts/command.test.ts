import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a copy of the command in a project of its own whose engine is the given script. */
function run(root: string, args: readonly string[], onOutput?: (kill: (signal: NodeJS.Signals) => void) => void): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, 'bin/sluicebox'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
      done({ code, signal, stdout, stderr });
    }),
  );
}

const ENGINE = `
const [what, ...rest] = process.argv.slice(2) as string[];
if (what === 'echo') console.log(JSON.stringify({ node: process.versions.node.split('.')[0], rest }));
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

describe('bin/sluicebox', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'sluicebox-command-'));
    mkdirSync(join(root, 'engine/cli'), { recursive: true });
    writeFileSync(join(root, 'engine/cli/main.ts'), ENGINE);
    // Node resolves the links of modules, so that what belongs to the copy must be one.
    copy(
      'bin/sluicebox',
      'bin/launcher.cjs',
      'bin/package.json',
      'scripts/lib/runtime.mjs',
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
    const { code, stdout } = await run(root, ['echo', '--split', 'regex: +', '-']);
    expect(JSON.parse(stdout)).toEqual({ node: '26', rest: ['--split', 'regex: +', '-'] });
    expect(code).toBe(0);
  });

  it.each([0, 1, 2, 70])('ends with the exit code %i of the engine', async (code) => {
    expect(await run(root, ['fail', String(code)])).toMatchObject({ code });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const)(
    'passes %s on and waits for the orderly end',
    async (signal) => {
      expect(await run(root, ['wait'], (kill) => kill(signal))).toMatchObject({ code: signal.length });
    },
  );

  it('ends by the signal that ended the engine', async () => {
    expect(await run(root, ['crash'])).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  it('names the command to run when the runtime is missing', async () => {
    rmSync(join(root, 'node_modules'));
    const { code, stderr } = await run(root, ['echo']);
    expect(code).toBe(70);
    expect(stderr).toMatch(/runtime node-[\w-]+ is missing[^]*npm ci --include=optional/);
  });
});
