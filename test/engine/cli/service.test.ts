import { spawnSync } from 'node:child_process';
import { existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stamp } from '../../../engine/cli/service-log.ts';
import { cliMain, sluicebox } from './run-cli.ts';
import { startCommand, type RunningCommand } from './start-command.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-service-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const put = (name: string, text: string): Promise<void> => writeFile(at(name), text);

/** @param unread nobody reads its standard output until `listen` is called */
const start = (config: string, unread = false): RunningCommand =>
  startCommand(['run', at(config)], { env: { SLUICEBOX_DATA: at('data') }, unread });

const input = (): string => `[in]\ntype = "FileInput"\npaths = [${JSON.stringify(at('a.log'))}]\n`;
const echo = (name: string, script: string): string =>
  `[${name}]\ntype = "SandboxFilter"\nfilename = "${script}"\nmessage_matcher = "Type == 'logfile'"\n`;
const script = (word: string): string =>
  `function process_message() { inject_payload('txt', '', '${word} ', read_message('Payload')); return 0; }\n`;
const output = '[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "Type == \'svc.sandbox-output\'"\n';
const payloads = (text: string): string[] => [...text.matchAll(/"Payload":"([^"]*)"/g)].map(([, payload = '']) => payload);

describe('a service that runs', () => {
  it('follows its configuration, and stays as it is while that has problems', async () => {
    await put('a.log', 'one\n');
    await put('one.js', script('first'));
    await put('two.js', script('second'));
    await put('p.toml', `[svcd]\nlog_flags = 0\npid_file = "run.pid"\n${input()}${output}${echo('e', 'one.js')}`);
    await using service = start('p.toml');
    await expect.poll(() => payloads(service.out())).toEqual(['first one']);
    expect(readFileSync(at('run.pid'), 'utf8')).toBe(`${service.child.pid}\n`);

    const second = await sluicebox(['run', at('p.toml')], '', { SLUICEBOX_DATA: at('data2') });
    expect(second.code).toBe(1);
    expect(second.err).toMatch(/run\.pid names process \d+, which is running/);

    await put(
      'p.toml',
      `[svcd]\nlog_flags = 0\npid_file = "run.pid"\n${input()}${output}${echo('e', 'one.js')}[bad]\ntype = "SandboxFilter"\n`,
    );
    await expect.poll(() => service.err()).toMatch(/p\.toml:\d+: \[bad\] message_matcher: is required\n(.*\n)*.*stays as it is/);
    await put('p.toml', `[svcd]\nlog_flags = 0\npid_file = "run.pid"\n${input()}${output}${echo('e', 'two.js')}${echo('f', 'one.js')}`);
    await expect.poll(() => service.err()).toMatch(/\[e\] replaced\n.*\[f\] started\n/);
    await appendFile(at('a.log'), 'two\n');
    await expect.poll(() => payloads(service.out()).sort()).toEqual(['first one', 'first two', 'second two']);
    await put('p.toml', `[svcd]\nlog_flags = 1\npid_file = "run.pid"\n${input()}${output}`);
    await expect
      .poll(() => service.err())
      .toMatch(/\[e\] stopped\n.*\[f\] stopped\n.*\[svcd\] log_flags is changed: takes effect at the next start\n/);

    service.child.kill('SIGINT');
    expect(await service.ended).toBe(0);
    expect(existsSync(at('run.pid'))).toBe(false);
  });

  it('follows its lookups, in matchers and scripts, and keeps what it had of a broken one', async () => {
    await mkdir(at('lookups'));
    await put('lookups/known.csv', 'line,word\none,uno\n');
    await put('a.log', 'one\ntwo\n');
    await put(
      'e.js',
      `function process_message() { inject_payload('txt', '', lookup(read_message('Payload'), 'known', 'word')); return 0; }\n`,
    );
    const filter = echo('e', 'e.js').replace("logfile'", "logfile' && Payload in @known");
    await put('p.toml', `[svcd]\nlog_flags = 0\n${input()}${output}${filter}`);
    await using service = start('p.toml');
    await expect.poll(() => payloads(service.out())).toEqual(['uno']);
    await put('lookups/known.csv', 'line,word\none,eins\ntwo,zwei\n');
    await expect.poll(() => service.err(), { timeout: 5_000 }).toContain('Lookup known has changed, and was read again.');
    await appendFile(at('a.log'), 'two\none\n');
    await expect.poll(() => payloads(service.out())).toEqual(['uno', 'zwei', 'eins']);
    await put('lookups/known.csv', 'line,word\none\nx,y,z\n');
    await expect
      .poll(() => service.err(), { timeout: 5_000 })
      .toMatch(/warning: Lookup known .* goes on with what it had: .*known\.csv:3: the row has 3 cells/);
    await appendFile(at('a.log'), 'two\n');
    await expect.poll(() => payloads(service.out())).toEqual(['uno', 'zwei', 'eins', 'zwei']);
  });

  it('says in the journal how urgent a line is', async () => {
    await put('a.log', 'one\n');
    await put('p.toml', `${input()}decoder = "json_lines"\n`);
    const journal = openSync(at('journal'), 'w');
    const { dev, ino } = fstatSync(journal);
    const env = { ...process.env, SLUICEBOX_DATA: at('data'), JOURNAL_STREAM: `${dev}:${ino}` };
    const flags = ['--disable-warning=ExperimentalWarning', cliMain, 'run', '--until-idle'];
    for (const name of ['p.toml', 'absent.toml'])
      spawnSync(process.execPath, [...flags, at(name)], { stdio: ['ignore', 'ignore', journal], env });
    const lines = readFileSync(at('journal'), 'utf8');
    expect(lines).toMatch(
      /^<4>sluicebox: .* 1 record was refused by the decoder and dropped .*\n<3>sluicebox: .*absent\.toml: cannot be read/m,
    );
  });

  it('takes over a pid file that names nobody', async () => {
    await put('a.log', 'one\n');
    await put('run.pid', '4194304999\n');
    await put('p.toml', `[svcd]\npid_file = "run.pid"\n${input()}`);
    expect(await sluicebox(['run', '--until-idle', at('p.toml')], '', { SLUICEBOX_DATA: at('data') })).toMatchObject({ code: 0, err: '' });
    await put('p.toml', '[svcd]\npid_file = "absent/run.pid"\n' + input());
    const result = await sluicebox(['run', '--until-idle', at('p.toml')], '', { SLUICEBOX_DATA: at('data') });
    expect(result).toMatchObject({ code: 1, err: expect.stringMatching(/\[svcd\] pid_file: there is no folder .*absent/) as string });
  });

  it('finds scripts and modules below share_dir', async () => {
    await mkdir(at('share/modules'), { recursive: true });
    await put('a.log', 'one\n');
    await put('share/modules/words.js', "module.exports = { word: 'shared' };\n");
    await put('share/e.js', `const { word } = require('words');\n${script('').replace("' '", "word, ' '")}`);
    await put('p.toml', `[svcd]\nshare_dir = "share"\n${input()}${output}${echo('e', 'e.js')}`);
    const result = await sluicebox(['run', '--until-idle', at('p.toml')], '', { SLUICEBOX_DATA: at('data') });
    expect(result).toMatchObject({ code: 0, err: '' });
    expect(payloads(result.out)).toEqual(['shared one']);
    await put('q.toml', `[svcd]\nshare_dir = "share"\n${input()}${echo('e', 'absent.js')}`);
    const checked = await sluicebox(['check', at('q.toml')]);
    expect(checked).toMatchObject({
      code: 1,
      out: expect.stringMatching(/\[e\] filename: there is no script .*share.absent\.js/) as string,
    });
  });

  it('opens its files anew at a hangup', async () => {
    await put('a.log', 'one\n');
    await put(
      'p.toml',
      `${input()}[out]\ntype = "FileOutput"\nmessage_matcher = "Type == 'logfile'"\npath = ${JSON.stringify(at('out.jsonl'))}\n`,
    );
    await using service = start('p.toml');
    const records = (name: string): string[] => (existsSync(at(name)) ? payloads(readFileSync(at(name), 'utf8')) : []);
    await expect.poll(() => records('out.jsonl')).toEqual(['one']);
    await rename(at('out.jsonl'), at('out.1'));
    await appendFile(at('a.log'), 'two\n');
    await expect.poll(() => records('out.1')).toEqual(['one', 'two']);
    service.child.kill('SIGHUP');
    await expect.poll(() => existsSync(at('out.jsonl'))).toBe(true);
    await appendFile(at('a.log'), 'three\n');
    await expect.poll(() => records('out.jsonl')).toEqual(['three']);
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('goes on stopping in order when it is asked to again by %s', async (signal) => {
    const count = 20_000;
    await put('a.log', Array.from({ length: count }, (_, i) => `line ${i} ${'x'.repeat(80)}\n`).join(''));
    await put('p.toml', `${input()}[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "TRUE"\n`);
    await using service = start('p.toml', true);
    await new Promise((resolve) => service.child.stdout.once('readable', resolve));
    const askedAgain = (): string => {
      service.child.kill(signal);
      return service.err();
    };
    await expect.poll(askedAgain).toMatch(/the service is stopping already and waits for \[(in|out)\]; SIGQUIT .* ends it at once/);
    service.listen();
    expect(await service.ended).toBe(0);
    const numbers = [...service.out().matchAll(/"Payload":"line (\d+) x+"/g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, i) => i));
  });

  it('keeps a second service out of its base_dir, however the first one ends', async () => {
    await put('a.log', 'one\n');
    await put('p.toml', `[svcd]\nlog_flags = 0\nbase_dir = "base"\n${input()}${output.replace('svc.sandbox-output', 'logfile')}`);
    await using service = start('p.toml');
    await expect.poll(() => payloads(service.out())).toEqual(['one']);
    const second = await sluicebox(['run', '--until-idle', at('p.toml')]);
    expect(second).toMatchObject({ code: 1, out: '' });
    expect(second.err).toContain(`another service (process ${service.child.pid}) works in base_dir ${at('base')}. Stop it first`);
    service.child.kill('SIGKILL');
    await service.ended;
    expect(await sluicebox(['run', '--until-idle', at('p.toml')])).toMatchObject({ code: 0, err: '' });
  });

  it('says when its base_dir cannot be locked, and runs', async () => {
    await put('a.log', 'one\n');
    await mkdir(at('base/service.lock'), { recursive: true });
    await put('p.toml', `[svcd]\nlog_flags = 0\nbase_dir = "base"\n${input()}${output.replace('svc.sandbox-output', 'logfile')}`);
    const result = await sluicebox(['run', '--until-idle', at('p.toml')]);
    expect(result).toMatchObject({ code: 0, err: expect.stringMatching(/warning: base_dir \S+ cannot be locked/) as string });
    expect(payloads(result.out)).toEqual(['one']);
  });

  it('loses nothing when it is ended at once with its reader stuck', async () => {
    const count = 20_000;
    await put('a.log', Array.from({ length: count }, (_, i) => `line ${i} ${'x'.repeat(80)}\n`).join(''));
    await put('p.toml', `${input()}[out]\ntype = "LogOutput"\nencoder = "json"\nmessage_matcher = "TRUE"\n`);
    await using service = start('p.toml', true);
    await new Promise((resolve) => service.child.stdout.once('readable', resolve));
    service.child.kill('SIGINT');
    const exited = new Promise<number | null>((resolve) => service.child.once('exit', resolve));
    service.child.kill('SIGQUIT');
    expect(await exited).toBe(130);
    service.listen();
    await service.ended;
    const second = await sluicebox(['run', '--until-idle', at('p.toml')], '', { SLUICEBOX_DATA: at('data') });
    const numbers = new Set([...(service.out() + second.out).matchAll(/"Payload":"line (\d+) x+"/g)].map(([, number]) => Number(number)));
    expect(numbers.size).toBe(count);
  });
});

describe('the stamp of a log line', () => {
  const now = new Date(2021, 2, 5, 13, 7, 9);
  it.each([
    [0, ''],
    [1, '2021/03/05 '],
    [2, '13:07:09 '],
    [3, '2021/03/05 13:07:09 '],
  ])('with log_flags %i', (flags, text) => expect(stamp(now, flags)).toBe(text));
});
