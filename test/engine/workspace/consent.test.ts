import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Notice } from '../../../engine/api/types.ts';
import type { Demand } from '../../../engine/api/wire.ts';
import { LIMITS } from '../../../engine/workspace/common/limits.ts';
import { until } from '../../until.ts';
import { Engine } from './engine-fixture.ts';

let engine: Engine;
let path: string;

beforeEach(() => {
  engine = new Engine();
  path = join(engine.folder, 'workspace.toml');
});
afterEach(() => engine.workspace.stop());

const refused = { code: 'consent.refused' };
const text = (): string => readFileSync(path, 'utf8');
const kinds = (): string[] => engine.workspace.state().sources.map(({ kind }) => kind);
const notices = (): string[] => engine.events.flatMap(({ name, data }) => (name === 'notice' ? [(data as Notice).text] : []));

const END = '# from elsewhere\n';
const withEnd = (sections: string): string => `${text().split(END)[0]}${END}${sections}`;

/** Starts with this text at the end of the workspace file. */
async function startWith(sections: string): Promise<void> {
  await until(() => text(), 'the workspace file');
  await engine.workspace.stop();
  writeFileSync(path, withEnd(sections));
  const { confirms, waits } = engine;
  engine = new Engine(engine.folder);
  Object.assign(engine, { confirms, waits });
}
const asked = (): Pick<Demand, 'by' | 'kind' | 'section' | 'text' | 'local'>[] =>
  engine.asked.map(({ by, kind, section, text: shown, local }) => ({ by, kind, section, text: shown, local }));

describe('what the window asks for', () => {
  it('runs no command that was not confirmed, and leaves no trace of it', async () => {
    engine.confirms = () => false;
    await expect(engine.ask('source.run', { command: 'echo "$HOME"' })).rejects.toMatchObject(refused);
    expect(asked()).toEqual([
      { by: 'window', kind: 'command', section: 'command', text: expect.stringMatching(/^echo "\$HOME"\n\(in the folder /), local: false },
    ]);
    expect(kinds()).toEqual([]);
    expect(text()).not.toContain('echo');
  });

  it('asks about a command with the key that its section has at the next start', async () => {
    await engine.ask('source.run', { command: 'sleep 1003' });
    await until(() => text().includes('sleep 1003'), 'the section');
    const [first] = engine.asked;
    await engine.workspace.stop();
    engine = new Engine(engine.folder);
    await until(() => engine.asked.length > 0, 'the question');
    expect(engine.asked.map(({ key }) => key)).toEqual([first?.key]);
    expect(asked()).toMatchObject([{ by: 'file', section: 'command_sleep' }]);
    await until(() => kinds().includes('command'), 'the command');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['128.0.0.1', false],
    ['127.0.0.1.example', false],
    ['::ffff:127.0.0.1', false],
  ])('knows whether only this machine reaches %s: %s', async (host, local) => {
    engine.confirms = () => false;
    await expect(engine.ask('source.listen', { protocol: 'tcp', host, port: 0 })).rejects.toMatchObject(refused);
    expect(asked()).toMatchObject([{ by: 'window', kind: 'listener', local }]);
    expect(kinds()).toEqual([]);
  });

  it('opens files that were chosen, and those of the workspace file again', async () => {
    const log = engine.file('a.log', 'x\n');
    await expect(engine.ask('source.open', { paths: [log] })).rejects.toMatchObject({ code: 'file.ungranted' });
    await engine.open(log);
    await until(() => text().includes('a.log'), 'the section');
    await engine.workspace.stop();
    engine = new Engine(engine.folder);
    const { opened } = await engine.ask('source.open', { paths: [log] });
    expect(opened).toHaveLength(1);
  });

  it('reads a file that a parameter of a decoder names once that is confirmed, and tries none before', async () => {
    const patterns = engine.file('patterns', 'NUMBERED \\d+\n');
    const id = await engine.open(engine.file('a.log', 'one 1\n'));
    await engine.settled(id);
    const config = { match: '%{NUMBERED:n}', patterns_file: patterns };
    await expect(engine.ask('decoder.preview', { id, decoder: 'grok', config })).rejects.toMatchObject({ code: 'file.ungranted' });
    expect(asked()).toEqual([]);
    engine.confirms = () => false;
    await expect(engine.ask('source.decoder', { id, decoder: 'grok', config })).rejects.toMatchObject(refused);
    engine.confirms = () => true;
    await engine.ask('source.decoder', { id, decoder: 'grok', config });
    await engine.ask('decoder.preview', { id, decoder: 'grok', config });
    expect(asked().map(({ kind, text: shown }) => [kind, shown])).toEqual([
      ['file', patterns],
      ['file', patterns],
    ]);
  });

  it('starts what is fixed in Sluicebox as such', async () => {
    await engine.ask('workstation.watch', {});
    expect(engine.asked.filter(({ by }) => by !== 'product')).toEqual([]);
  });
});

const DANGEROUS = `
[run]
type = "ProcessInput"
[run.command.0]
bin = "/opt/sh"
args = ["-c", "true; false"]
env = ["LD_PRELOAD=/tmp/evil.so"]
directory = "/tmp"
[run.command.1]
bin = "tee"

[net]
type = "TcpInput"
address = "127.0.0.1:0"

[stats]
type = "StatsdInput"
address = ":8125"

[StatAccumInput]
type = "StatAccumInput"

[web]
type = "HttpInput"
url = "http://127.0.0.1:9/status"
method = "post"
username = "root"
password = "hidden"
body = "drop=1"
[web.headers]
X-Key = ["a", "b"]

[log]
type = "FileInput"
paths = ["/nowhere/a.log"]
`;

const POSTED = `POST http://127.0.0.1:9/status
(with the header X-Key: a)
(with the header X-Key: b)
(as the user root)
(with the body drop=1)`;

describe('a workspace file from elsewhere', () => {
  it('has what it starts confirmed in one question, while its files open at once', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    engine.waits = promise;
    await startWith(DANGEROUS);
    await until(() => kinds().includes('file'), 'the file');
    expect(kinds().sort()).toEqual(['file', 'stats']);
    expect(asked()).toEqual([
      {
        ...{ by: 'file', kind: 'command', section: 'run', local: false },
        text: "/opt/sh -c 'true; false'\n(in the folder /tmp)\n(with the environment LD_PRELOAD=/tmp/evil.so)\n| tee",
      },
      { by: 'file', kind: 'listener', section: 'net', text: 'TcpInput 127.0.0.1:0', local: true },
      { by: 'file', kind: 'listener', section: 'stats', text: 'StatsdInput :8125', local: false },
      { by: 'file', kind: 'client', section: 'web', text: POSTED, local: false },
    ]);
    engine.confirms = ({ section }) => section === 'net';
    resolve(undefined);
    await until(() => kinds().includes('tcp'), 'the listener');
    await until(() => notices().filter((notice) => notice.includes('nobody confirmed it')).length === 3, 'the notices');
    expect(kinds().sort()).toEqual(['file', 'stats', 'tcp']);
  });

  it('starts nothing that is not in it any more when the answer comes', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    engine.waits = promise;
    await startWith(DANGEROUS);
    await until(() => engine.asked.length > 0, 'the question');
    // Only what was read at the start is looked at again.
    await engine.ask('source.open', { paths: ['/nowhere/c.log'] }).catch(() => undefined);
    writeFileSync(path, withEnd('[log]\ntype = "FileInput"\npaths = ["/nowhere/b.log"]\n'));
    await until(() => engine.workspace.state().sources.some(({ location }) => location.endsWith('b.log')), 'the other file');
    resolve(undefined);
    await engine.ask('source.run', { command: 'true' });
    expect(kinds().sort()).toEqual(['command', 'file']);
  });

  it.each([
    ['another argument', (section: string) => section.replace('true; false', 'true; reboot')],
    ['another program', (section: string) => section.replace('/opt/sh', '/opt/bin/sh')],
    ['an environment', (section: string) => section.replace('evil', 'worse')],
    ['another folder', (section: string) => section.replace('directory = "/tmp"', 'directory = "/"')],
    ['one command less', (section: string) => section.replace('[run.command.1]\nbin = "tee"\n', '')],
  ])('asks again for %s', async (_what, change) => {
    engine.confirms = () => false;
    const keys = new Set<string | undefined>();
    for (const sections of [DANGEROUS, change(DANGEROUS)]) {
      await startWith(sections);
      await until(() => engine.asked.length > 0, 'the question');
      keys.add(engine.asked.find(({ section }) => section === 'run')?.key);
    }
    expect(keys.size).toBe(2);
  });
});

describe('numbers at once', () => {
  it('of views are limited, until a new page begins without any', async () => {
    const open = (): Promise<unknown> => engine.ask('view.open', { query: {} });
    for (let i = 0; i < LIMITS.views; i++) await open();
    await expect(open()).rejects.toMatchObject({ code: 'limit.reached', message: expect.stringContaining('64 views') });
    await engine.newPage();
    await open();
  });

  it('of listeners are limited', async () => {
    const open = (): Promise<unknown> => engine.ask('source.listen', { protocol: 'tcp', host: '127.0.0.1', port: 0 });
    for (let i = 0; i < LIMITS.listeners; i++) await open();
    await expect(open()).rejects.toMatchObject({ code: 'limit.reached', message: expect.stringContaining('32 listeners') });
  });

  it('of commands are limited, whether they run or have ended', async () => {
    for (let i = 0; i < LIMITS.commands; i++) await engine.ask('source.run', { command: `: ${i}` });
    await expect(engine.ask('source.run', { command: ': more' })).rejects.toMatchObject({
      ...{ code: 'limit.reached', message: expect.stringContaining('64 commands') },
    });
  });

  it('of scripts are limited, and those that are there can still be written', async () => {
    const rest = { apply: false, keepState: false };
    const scripts = join(engine.folder, 'scripts');
    mkdirSync(scripts, { recursive: true });
    for (let i = 0; i < LIMITS.scripts; i++) writeFileSync(join(scripts, `${i}.js`), '');
    await expect(engine.ask('script.save', { name: 'more.js', path: null, text: '', ...rest })).rejects.toMatchObject({
      ...{ code: 'limit.reached', message: expect.stringContaining('1000 scripts') },
    });
    await engine.ask('script.save', { name: '7.js', path: join(scripts, '7.js'), text: '// mine', ...rest });
    expect(readFileSync(join(scripts, '7.js'), 'utf8')).toBe('// mine');
  });
});
