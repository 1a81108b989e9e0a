import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askedPath, noteAsked } from '../../../engine/assistants/asked.ts';
import { assistantsFolder, formatGrants, grantsPath, readGrants } from '../../../engine/assistants/grants.ts';
import { Engine } from './engine-fixture.ts';

const LINES = 'one\ntwo\nthree\n';
const isWindows = process.platform === 'win32';

describe('what assistants may ask about', () => {
  it('is nothing until a person grants an open file, and stays until it is taken back', async () => {
    const engine = new Engine();
    const [one, two] = [engine.file('one.log', LINES), engine.file('two.log', LINES)];
    const ids = [await engine.open(one), await engine.open(two)];
    expect(await engine.ask('assistants.get', {})).toEqual({ redact: true, granted: [], asked: [] });
    for (const source of ids) await engine.ask('assistants.grant', { source });
    await engine.ask('assistants.redact', { on: false });
    const path = grantsPath(engine.folder);
    const places = [one, two].map((location) => ({ location, path: realpathSync(location), root: realpathSync(location) }));
    expect(readGrants(path)).toEqual({ redact: false, files: places });
    if (!isWindows) expect(statSync(path).mode & 0o777).toBe(0o600);

    await engine.ask('source.close', { id: ids[0] as number });
    await engine.workspace.stop();
    const next = new Engine(engine.folder);
    expect(await next.ask('assistants.get', {})).toMatchObject({ redact: false, granted: [one, two] });
    await next.ask('assistants.takeBack', { location: one });
    expect(readGrants(path).files).toEqual(places.slice(1));
    await next.ask('assistants.takeBack', { location: null });
    expect(readGrants(path).files).toEqual([]);
    expect(next.events.filter(({ name }) => name === 'assistants').length).toBe(2);
    await next.workspace.stop();
  });

  it('is the file that a link led to, and no source that is none', async () => {
    const engine = new Engine();
    const [file, link] = [engine.file('now.log', LINES), join(engine.folder, 'current.log')];
    symlinkSync(file, link);
    await engine.ask('assistants.grant', { source: await engine.open(link) });
    expect(readGrants(grantsPath(engine.folder)).files).toEqual([{ location: link, path: realpathSync(file), root: realpathSync(file) }]);
    const { id } = await engine.ask('engine.watch', {});
    await expect(engine.ask('assistants.grant', { source: id })).rejects.toMatchObject({ code: 'assistants.source' });
    await expect(engine.ask('assistants.grant', { source: 99 })).rejects.toMatchObject({ code: 'source.unknown' });
    const given = join(engine.folder, 'standard-input', '1');
    mkdirSync(given, { recursive: true });
    const piped = join(given, 'standard input');
    writeFileSync(piped, LINES);
    await expect(engine.ask('assistants.grant', { source: await engine.open(piped) })).rejects.toThrow('gone when the window ends');
    await engine.workspace.stop();
  });

  it.each([
    ['damaged', (path: string) => writeFileSync(path, '{"version":1')],
    ['a link', (path: string) => symlinkSync(join(path, '..', 'other.json'), path)],
  ])('is nothing where the file of grants is %s, which is put aside', async (_, put) => {
    const folder = new Engine().folder;
    const path = grantsPath(folder);
    mkdirSync(assistantsFolder(folder), { mode: 0o700 });
    writeFileSync(join(path, '..', 'other.json'), formatGrants({ redact: false, files: [{ location: '/a', path: '/a', root: '/a' }] }));
    put(path);
    const engine = new Engine(folder);
    expect(await engine.ask('assistants.get', {})).toMatchObject({ redact: true, granted: [] });
    expect((await engine.ask('notice.list', {}))[0]).toMatchObject({ code: 'assistants.file' });
    await engine.ask('assistants.redact', { on: true });
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readdirSync(assistantsFolder(folder)).length).toBe(3);
    await engine.workspace.stop();
  });
});

describe('what assistants have asked', () => {
  it('is told when it comes, and can be forgotten', async () => {
    const engine = new Engine();
    await engine.ask('assistants.get', {});
    const line = { time: '2025-02-10T10:00:00.000Z', tool: 'search', question: 'text a', files: ['a.log'], rows: 3, records: [] };
    await noteAsked(askedPath(engine.folder), JSON.stringify(line));
    const told = () => engine.events.findLast(({ name }) => name === 'assistants')?.data;
    await expect.poll(told, { timeout: 5000 }).toMatchObject({ asked: [{ tool: 'search', question: 'text a', rows: 3, error: null }] });
    await engine.ask('assistants.forget', {});
    expect(told()).toMatchObject({ asked: [] });
    await engine.workspace.stop();
  });
});
