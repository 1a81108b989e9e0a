import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandboxes } from '../../../../engine/plugins/starter.ts';
import { until } from '../../../until.ts';
import { tarOf } from '../../inputs/archive/make-archives.ts';
import { Engine } from '../engine-fixture.ts';

const LINES = Array.from({ length: 9 }, (_, i) => `Mar  5 13:07:5${i} box1 cron[17]: job ${i}\n`).join('');

describe('what is typed', () => {
  let engine: Engine;
  let logs: string;

  beforeAll(() => {
    engine = new Engine(undefined, startSandboxes());
    logs = join(engine.folder, 'logs');
    mkdirSync(join(logs, 'sub'), { recursive: true });
    writeFileSync(join(logs, 'cron.log'), LINES);
    writeFileSync(join(logs, 'sub', 'words.txt'), 'free words\n');
  });
  afterAll(() => engine.workspace.stop());

  it('is confirmed, looked at, and opened without another question', async () => {
    const text = join(logs, 'cron.log');
    engine.confirms = () => false;
    await expect(engine.ask('open.look', { text })).rejects.toMatchObject({ code: 'consent.refused' });
    engine.confirms = () => true;
    const look = await engine.ask('open.look', { text });
    expect(look).toMatchObject({ kind: 'files', leftOut: null, plans: [{ path: text, label: 'cron.log' }] });
    const preview = look.kind === 'files' ? look.plans[0]?.preview : null;
    expect(preview?.decoder).toMatch(/syslog|rfc3164/);
    expect(preview?.records.map(({ payload }) => payload)).toEqual(['job 0', 'job 1', 'job 2']);
    const asked = engine.asked.length;
    const { opened, paths } = await engine.ask('open.typed', { text });
    expect(paths).toEqual([text]);
    await engine.settled(opened[0] as number);
    expect(engine.asked).toHaveLength(asked);
    expect(engine.asked.at(-1)).toMatchObject({ kind: 'open', text });
  });

  it('may be a folder: one question, and a source for each log', async () => {
    const look = await engine.ask('open.look', { text: logs });
    expect(look.kind === 'files' && look.plans.map(({ label }) => label)).toEqual(['cron.log', 'words.txt']);
    const { opened } = await engine.ask('open.typed', { text: logs });
    const { sources } = await engine.ask('engine.state', {});
    expect(sources.filter(({ id }) => opened.includes(id)).map(({ label }) => label)).toEqual(['cron.log', 'words.txt']);
  });

  it('says which files of a folder are left out, and why', async () => {
    const folder = join(engine.folder, 'some');
    const said = async (): Promise<readonly string[]> =>
      (await engine.ask('notice.list', {}))
        .filter(({ code, text }) => code === 'folder.left-out' && text.startsWith(folder))
        .map(({ text }) => text);
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.log'), LINES);
    writeFileSync(join(folder, 'empty.log'), '');
    await engine.ask('open.typed', { text: folder });
    writeFileSync(join(folder, 'empty-2.log'), '');
    await engine.ask('open.typed', { text: folder });
    expect(await said()).toEqual([
      `${folder}: 1 file was left out: empty.log (it is empty).`,
      `${folder}: 2 files were left out: empty-2.log, empty.log (it is empty).`,
    ]);
  });

  it('may be an archive: a source for each log in it, which is there at the next start, too', async () => {
    const path = join(engine.folder, 'logs.tar.gz');
    const files = [
      { name: 'app/a.log', text: LINES },
      { name: 'app/b.log.gz', text: gzipSync(LINES) },
      { name: '../c.log', text: LINES },
    ];
    writeFileSync(path, gzipSync(tarOf(files)));
    const leftOut = `${path}: 1 file was left out: ../c.log (its name leads out of the archive (..)).`;
    const look = await engine.ask('open.look', { text: path });
    expect(look).toMatchObject({ leftOut, plans: [{ path: `${path}/app/a.log`, label: 'a.log' }, { path: `${path}/app/b.log.gz` }] });
    const { opened } = await engine.ask('open.typed', { text: path });
    for (const id of opened) await engine.settled(id);
    const { sources } = await engine.ask('engine.state', {});
    const lines = LINES.split('\n').length - 1;
    expect(sources.filter(({ id }) => opened.includes(id)).map(({ location, records }) => [location, records])).toEqual([
      [`${path}/app/a.log`, lines],
      [`${path}/app/b.log.gz`, lines],
    ]);
    expect((await engine.ask('notice.list', {})).map(({ text }) => text)).toContain(leftOut);
    const again = await engine.ask('source.open', { paths: [`${path}/app/a.log`] });
    expect(again.opened).toEqual([opened[0]]);
  });

  it('says what is not there', async () => {
    await expect(engine.ask('open.look', { text: join(logs, 'none.log') })).rejects.toMatchObject({ code: 'file.missing' });
  });

  it('may be a file of another machine: ssh is confirmed, gets no option from the text, and is listed for the next start', async () => {
    const programs = join(engine.folder, 'programs');
    mkdirSync(programs);
    writeFileSync(
      join(programs, 'ssh'),
      `#!/bin/sh\ncase "$*" in *" gone "*) echo "no route to gone\r" >&2; exit 255;; esac\nfor word; do echo "Mar  5 13:07:59 box1 ssh[1]: $word"; done\n`,
    );
    chmodSync(join(programs, 'ssh'), 0o755);
    const path = process.env.PATH ?? '';
    process.env.PATH = `${programs}:${path}`;
    try {
      expect(await engine.ask('open.look', { text: 'web1:/var/log/a b' })).toMatchObject({ kind: 'remote' });
      engine.confirms = () => false;
      const sample = { kind: 'remote', text: 'web1:/var/log/a b' } as const;
      await expect(engine.ask('open.sample', sample)).rejects.toMatchObject({ code: 'consent.refused' });
      engine.confirms = () => true;
      const preview = await engine.ask('open.sample', sample);
      expect(preview.decoder).toMatch(/syslog/);
      expect(preview.records).toHaveLength(3);
      const fails = { kind: 'remote', text: 'gone:/var/log/a' } as const;
      await expect(engine.ask('open.sample', fails)).rejects.toMatchObject({
        code: 'process.failed',
        message: expect.stringMatching(/ended with status 255: no route to gone\. Run ssh gone once in a terminal: /) as string,
      });
      await expect(engine.ask('open.sample', { kind: 'remote', text: '/var/log/a' })).rejects.toMatchObject({ code: 'path.bad' });
      const { opened } = await engine.ask('open.typed', { text: 'web1:/var/log/a b' });
      const id = opened[0] as number;
      await until(async () => (await engine.source(id))?.state === 'ended', 'the end of the command');
      expect(await engine.source(id)).toMatchObject({ kind: 'command', label: 'web1:/var/log/a b' });
      const words = async (): Promise<string[]> => (await engine.rows({ sources: [id] })).rows.slice(-3).map(({ text }) => text);
      await expect.poll(words).toEqual(['--', 'web1', "exec tail -n +1 -F -- '/var/log/a b'"]);
      expect(engine.asked.at(-1)).toMatchObject({ kind: 'command' });
    } finally {
      process.env.PATH = path;
    }
  });

  it('may be a command: its first records are shown, and it is ended', async () => {
    const ended = join(engine.folder, 'ended');
    const lines = `i=0; while [ $i -lt 4 ]; do echo "Mar  5 13:07:5$i box1 cron[17]: job $i"; i=$((i + 1)); done`;
    const text = `trap 'echo x > "${ended}"; exit' TERM; ${lines}; while :; do sleep 0.05; done`;
    engine.confirms = () => false;
    await expect(engine.ask('open.sample', { kind: 'command', text })).rejects.toMatchObject({ code: 'consent.refused' });
    engine.confirms = () => true;
    const preview = await engine.ask('open.sample', { kind: 'command', text });
    expect(preview.decoder).toMatch(/syslog/);
    expect(preview.records.map(({ payload }) => payload)).toEqual(['job 0', 'job 1', 'job 2']);
    expect(existsSync(ended)).toBe(true);
    const asked = engine.asked.length;
    const { id } = await engine.ask('source.run', { command: text });
    expect(engine.asked).toHaveLength(asked);
    await engine.ask('source.close', { id });
  });

  it('may be a command that is not a log, or writes nothing', async () => {
    const sample = (text: string): Promise<unknown> => engine.ask('open.sample', { kind: 'command', text });
    expect(await sample('echo free words; echo of a complaint >&2')).toMatchObject({ decoder: null, records: [] });
    expect(await sample('echo not yet >&2; sleep 60')).toEqual({ decoder: null, confidence: 0, records: [], lines: ['not yet'] });
    expect(await sample('true')).toEqual({ decoder: null, confidence: 0, records: [], lines: [] });
  });
});

it('a folder with too many logs says how many more the next opening adds', async () => {
  const engine = new Engine();
  const folder = join(engine.folder, 'many');
  mkdirSync(folder);
  for (let i = 0; i < 203; i++) writeFileSync(join(folder, `${String.fromCharCode(97 + (i % 26)).repeat(1 + i / 26)}.log`), 'a\n');
  await engine.ask('open.typed', { text: folder });
  const notices = await engine.ask('notice.list', {});
  expect(notices.find(({ about }) => about?.rest?.path === folder)).toMatchObject({
    text: expect.stringMatching(/: 3 files were left out: .*, .*, .* \(200 logs are opened at once: open it again for more\)\.$/),
    about: { rest: { logs: 3 } },
  });
  await engine.workspace.stop();
});
