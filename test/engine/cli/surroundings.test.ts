import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliMain } from './run-cli.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../../bin/sluicebox');
const ENGINE = `'${process.execPath}' --disable-warning=ExperimentalWarning '${cliMain}'`;

let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-around-'));
  writeFileSync(at('a.log'), '{"a":1}\n'.repeat(20_000));
  const input = `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n`;
  const output = '[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "TRUE"\n';
  writeFileSync(at('p.toml'), `[svcd]\nlog_flags = 0\n${input}${output}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a line of a shell in the folder. */
function shell(line: string, env: Record<string, string | undefined> = {}): Promise<Result> {
  const all = { ...process.env, SLUICEBOX_DATA: undefined, ...env } as NodeJS.ProcessEnv;
  return new Promise((done) => {
    const options = { cwd: folder, env: all, maxBuffer: 1 << 26 };
    const child = execFile('/bin/sh', ['-c', line], options, (_error, out, err) => done({ code: child.exitCode ?? -1, out, err }));
  });
}

const STACK = /\n\s+at |node:internal/;

describe.runIf(process.platform !== 'win32')('a working directory that was removed', () => {
  const LOST = 'the working directory was removed, so relative paths lead nowhere: change to one that is there (cd), or give whole paths';
  const removed = (args: string): Promise<Result> => shell(`mkdir gone; cd gone; rmdir ../gone; exec ${ENGINE} ${args}`);

  it.each([
    ['run p.toml', 1, 'p.toml: cannot be read'],
    ['decode ./mine.js', 2, LOST],
    ['sandbox mine.js', 2, LOST],
    ['cat a.log', 2, 'a.log does not exist'],
    ['new filter f', 1, "ENOENT: no such file or directory, open 'f.ts'"],
  ])('makes %s say so', async (args, failed, text) => {
    const { code, out, err } = await removed(args);
    expect({ code, out }).toEqual({ code: failed, out: '' });
    expect(err).toContain(text);
    expect(err).not.toMatch(STACK);
  });

  it('is no matter for whole paths', async () => {
    expect(await removed(`check '${at('p.toml')}'`).then(({ code, err }) => ({ code, err }))).toEqual({ code: 0, err: '' });
  });
});

describe.runIf(process.platform === 'linux')('a home folder', () => {
  it.each<[string, Record<string, string | undefined>]>([
    ['that takes no folders', { HOME: '/proc' }],
    ['that is a device', { HOME: '/dev/null' }],
    ['beside one for caches and states that takes no folders', { HOME: '/tmp', XDG_CACHE_HOME: '/proc', XDG_STATE_HOME: '/proc' }],
    ['with a name that is too long', { HOME: `/tmp/${'x'.repeat(300)}` }],
  ])('%s is told once, and the work is done', async (_title, env) => {
    const unset = { XDG_CACHE_HOME: undefined, XDG_STATE_HOME: undefined, NODE_COMPILE_CACHE: undefined, SLUICEBOX_CACHE: undefined };
    const { code, out, err } = await shell(`exec '${process.execPath}' '${LAUNCHER}' run p.toml --until-idle`, { ...unset, ...env });
    expect(err.match(/The checkpoint .*\/sluicebox\/inputs\/in\.json cannot be written/g)).toHaveLength(1);
    expect({ code, lines: out.split('\n').length - 1 }).toEqual({ code: 0, lines: 20_000 });
    expect(err).not.toMatch(STACK);
  });

  it('that is a relative path is taken from the user database, and the working directory stays clean', async () => {
    const env = { HOME: 'here', XDG_CACHE_HOME: 'there', NODE_COMPILE_CACHE: undefined, SLUICEBOX_CACHE: undefined };
    expect(await shell(`exec '${process.execPath}' '${LAUNCHER}' --version`, env)).toMatchObject({ code: 0, err: '' });
    expect([existsSync(at('here')), existsSync(at('there'))]).toEqual([false, false]);
  });
});

describe.runIf(process.platform !== 'win32')('standard output', () => {
  /** Prints what the command says on standard error, and its exit code. */
  const unread = (args: string): Promise<Result> => shell(`( { ${ENGINE} ${args} 2>&3; echo "code $?" >&3; } | true ) 3>&1`);

  it.each(['--help', 'decode json_lines a.log', 'detect a.log', 'check p.toml', 'inject --count 100000 -'])(
    'that nobody reads ends %s without a word',
    async (args) => {
      const { out } = await unread(args);
      expect(out).toBe('code 0\n');
    },
  );

  it('that nobody reads ends a service in order, and nothing is lost', async () => {
    const env = { SLUICEBOX_DATA: at('data') };
    const { out } = await shell(`( { ${ENGINE} run p.toml --until-idle 2>&3; echo "code $?" >&3; } | true ) 3>&1`, env);
    expect(out).toMatch(/code 0\n$/);
    expect(out).not.toMatch(/could not be written and are lost|EPIPE/);
    const again = await shell(`${ENGINE} run p.toml --until-idle | wc -l`, env);
    expect(Number(again.out)).toBe(20_000);
  });

  it.each(['--version', 'decode json_lines a.log'])('that cannot be written makes %s fail', async (args) => {
    const { code, err } = await shell(`exec ${ENGINE} ${args} 1</dev/null`, { SLUICEBOX_DATA: at('unwritten') });
    expect(code).toBeGreaterThan(0);
    expect(err).toContain('standard output cannot be written (EBADF');
    expect(err).not.toMatch(STACK);
  });

  it.each(['--version', 'decode json_lines a.log'])('that is closed makes %s fail', async (args) => {
    const { code, err } = await shell(`exec '${LAUNCHER}' ${args} >&-`, { SLUICEBOX_DATA: at('unwritten') });
    expect(code).toBeGreaterThan(0);
    expect(err).toContain('standard output cannot be written (EBADF');
    expect(err).not.toMatch(STACK);
  });

  it('that cannot be written does not hold up a service', async () => {
    const { err } = await shell(`exec ${ENGINE} run p.toml --until-idle 1</dev/null`, { SLUICEBOX_DATA: at('unwritten') });
    expect(err).toMatch(/could not be written and are lost: .*EBADF/);
    expect(err).not.toMatch(STACK);
  });
});
