import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sluicebox } from './run-cli.ts';
import { startCommand } from './start-command.ts';
import { until } from '../../until.ts';

let folder: string;
let server: Server | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-end-'));
});
afterEach(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (...path: string[]): string => join(folder, ...path);
const input = (): string => `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\nstart = "begin"\n`;
const filter = (more = ''): string => `[f]\ntype = "SandboxFilter"\nfilename = "f.js"\nmessage_matcher = "Type == 'logfile'"\n${more}\n`;
const output = '[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type == \'logfile\'"\n';
const service = (more: string): string => `[svcd]\nlog_flags = 0\nbase_dir = ${JSON.stringify(at('base'))}\n${more}\n`;

async function put(config: string, script: string, lines: number): Promise<void> {
  await writeFile(at('a.log'), Array.from({ length: lines }, (_, i) => `line ${i} ${'x'.repeat(80)}\n`).join(''));
  await writeFile(at('f.js'), script);
  await writeFile(at('p.toml'), config);
}

const COUNT = 'n = 0;\nfunction process_message() { n++; return 0; }\n';
const DIE = "function process_message() { throw new Error('no more'); }\n";

describe('a service that is asked to abort', () => {
  it('goes on when its messages get through', async () => {
    await put(service('') + input() + output, '', 3);
    await using run = startCommand(['run', at('p.toml')]);
    const { child, ended, err, out } = run;
    await expect.poll(out).toMatch(/line 2/);
    child.kill('SIGUSR2');
    await expect.poll(err).toMatch(/an abort was asked for, but messages get through: nothing is done/);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('reports, keeps the state of its scripts and ends when they do not', async () => {
    await put(service('plugin_chansize = 1\npoolsize = 1') + input() + filter('preserve_data = true') + output, COUNT, 60_000);
    await using run = startCommand(['run', at('p.toml')], { unread: true });
    const { child, ended, err, out, listen } = run;
    await new Promise((resolve) => child.stdout.once('readable', resolve));
    // As long as its messages find room somewhere, they get through.
    const answers = (): number => err().match(/an abort was asked for/g)?.length ?? 0;
    while (!/an abort was asked for, and messages do not get through: the service ends/.test(err())) {
      const before = answers();
      child.kill('SIGUSR2');
      await until(() => answers() > before, 'the answer');
    }
    listen();
    expect(await ended).toBe(1);
    expect(existsSync(at('base/sandbox_preservation/f.data'))).toBe(true);
    await expect
      .poll(out)
      .toMatch(/========\[svc\.all-report\]========\n[^]*\n====Outputs====\nout:\n {4}InChanCapacity: 1\n {4}InChanLength: [1-9]/);
  });
});

describe('a plugin that ends', () => {
  it.each([
    ['can_exit = false', 1, /\[f\] has ended, and its can_exit is false/],
    [
      '',
      1,
      /^sluicebox: error: \[f\] was terminated: .*Error: no more\nsluicebox: warning: \[f\] 2 messages that waited for it were dropped\n$/,
    ],
  ])('with %j', async (more, code, said) => {
    await put(service('') + input() + filter(more) + output, DIE, 3);
    const result = await sluicebox(['run', '--until-idle', at('p.toml')]);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(said);
    // Records that were read are processed in any case.
    expect(result.lines()).toHaveLength(3);
  });

  it.each([
    ['', 1, /\[taken\] has ended, and its can_exit is false/],
    ['can_exit = true', 0, null],
  ])('being an input without a port and %j', async (more, code, said) => {
    const listening = createServer().listen(0, '127.0.0.1');
    server = listening;
    await new Promise((resolve) => listening.once('listening', resolve));
    const address = listening.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const retries = '[taken.retries]\ndelay = "10ms"\nmax_jitter = "1ms"\nmax_retries = 2\n';
    const taken = `[taken]\ntype = "TcpInput"\naddress = "127.0.0.1:${port}"\n${more}\n${retries}`;
    await put(service('') + taken + output, '', 0);
    await using run = startCommand(['run', at('p.toml')]);
    const { child, ended, err } = run;
    await expect.poll(err).toMatch(/\[taken\] /);
    if (said === null) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(child.exitCode).toBe(null);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    } else {
      expect(await ended).toBe(code);
      expect(err()).toMatch(said);
    }
  });
});

it('writes profiles of itself when it is asked to', async () => {
  await put(service(`cpuprof = "run.cpuprofile"\nmemprof = ${JSON.stringify(at('run.heapprofile'))}`) + input() + output, '', 3);
  const result = await sluicebox(['run', '--until-idle', at('p.toml')]);
  expect(result).toMatchObject({ code: 0, err: '' });
  const profile = (name: string): unknown => JSON.parse(readFileSync(at(name), 'utf8'));
  expect(profile('run.cpuprofile')).toMatchObject({ nodes: expect.any(Array) as unknown, samples: expect.any(Array) as unknown });
  expect(profile('run.heapprofile')).toMatchObject({ head: { callFrame: { functionName: '(root)' } } });
  await put(service('cpuprof = "absent/run.cpuprofile"') + input() + output, '', 3);
  const unwritten = await sluicebox(['run', '--until-idle', at('p.toml')]);
  expect(unwritten.err).toMatch(/\[svcd\] cpuprof: there is no folder .*absent/);
});
