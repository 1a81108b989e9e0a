import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DecoderChoice } from '../../../../engine/api/types.ts';
import { Consent } from '../../../../engine/workspace/common/consent.ts';
import { WorkspaceFile } from '../../../../engine/workspace/file/workspace-file.ts';
import { ListedSources } from '../../../../engine/workspace/opening/listed-sources.ts';
import type { Source } from '../../../../engine/workspace/sources/source.ts';
import { until } from '../../../until.ts';

interface Opened {
  readonly id: number;
  readonly kind: string;
  readonly location: string;
  decoder?: DecoderChoice | null;
  resumed?: boolean;
  resume?: () => void;
}

let folder: string;
let path: string;
let confirms: boolean;
let said: [code: string, text: string][];
let opened: Opened[];
let closed: number[];
let listed: ListedSources | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-listed-'));
  path = join(folder, 'workspace.toml');
  [said, opened, closed, confirms] = [[], [], [], true];
});

afterEach(async () => {
  await listed?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The sources of a workspace file of this text; what they are opened with is only written down. */
async function read(text: string): Promise<ListedSources> {
  writeFileSync(path, text);
  const surroundings = {
    file: new WorkspaceFile(path),
    inputs: { configured: () => ({}) },
    filters: { setTemplates: () => Promise.resolve() },
    notices: { say: (_level: string, code: string, told: string) => said.push([code, told]) },
    consent: new Consent((demands) => Promise.resolve(confirms ? demands.map(({ key }) => key) : [])),
    close: (id: number) => Promise.resolve(void closed.push(id)),
    sources: {
      all: () => opened,
      has: (id: number) => opened.some((one) => one.id === id),
      find: (kind: string, location: string) => opened.find((one) => one.kind === kind && one.location === location),
      add: ({ kind, location }: Opened) => {
        const source: Opened = { id: opened.length + 1, kind, location, resume: () => (source.resumed = true) };
        opened.push(source);
        return { ...source, open: (decoder: DecoderChoice | null) => (source.decoder = decoder) };
      },
    },
  };
  listed = new ListedSources(surroundings as unknown as ConstructorParameters<typeof ListedSources>[0]);
  await listed.ready;
  return listed;
}

const file = (name: string, log: string): string => `["${name}"]\ntype = "FileInput"\npaths = ["${log}"]\n`;
const COMMAND = '[c]\ntype = "ProcessInput"\n[c.command.0]\nbin = "uptime"\n';
const sourceOf = (place: number): Source => opened[place] as unknown as Source;

describe('the sources of a file', () => {
  it('are opened at the start, each once, and known by their sections', async () => {
    const sources = await read(file('shop', '/nowhere/a.log') + file('again', '/nowhere/a.log'));
    expect(opened).toMatchObject([{ kind: 'file', location: '/nowhere/a.log' }]);
    expect(sources.namesOf(sourceOf(0))).toEqual(['shop']);
  });

  it('of the window are only known, with what was chosen for them', async () => {
    const log = join(folder, 'a.log');
    writeFileSync(log, 'x\n');
    const sources = await read(`${file(`file:${log}`, log)}time_offset = 60\n`);
    expect(opened).toEqual([]);
    expect([sources.remembers(log), sources.timeOffsetOf(log), sources.chosenFor(log)]).toEqual([true, 60, null]);
    expect(sources.nameOf({ id: 9, kind: 'file', location: log } as Source)).toBe(`file:${log}`);
  });

  it('of the window are forgotten when they are gone, and remembered all the same', async () => {
    const log = join(folder, 'gone.log');
    const sources = await read(file(`file:${log}`, log));
    await until(() => !readFileSync(path, 'utf8').includes('gone.log'));
    expect(sources.remembers(log)).toBe(true);
  });

  it('that start something wait for a confirmation', async () => {
    await read(COMMAND);
    await until(() => opened.length > 0);
    expect(opened).toMatchObject([{ kind: 'command' }]);
  });

  it('that nobody confirmed are not opened, which is told', async () => {
    confirms = false;
    await read(COMMAND + file('shop', '/nowhere/a.log'));
    await until(() => said.length > 0);
    expect(said).toEqual([['consent.refused', expect.stringMatching(/^c of .*workspace\.toml was not started/)]]);
    expect(opened).toMatchObject([{ kind: 'file' }]);
  });

  it('with problems leave the others', async () => {
    await read(`${file('shop', '/nowhere/a.log')}[bad]\ntype = "FileInput"\n`);
    expect(said).toEqual([['workspace.invalid', expect.stringContaining('bad')]]);
    expect(opened).toHaveLength(1);
  });

  it('are not there when the file cannot be read', async () => {
    await read('\0');
    expect(said.map(([code]) => code)).not.toEqual([]);
    expect(opened).toEqual([]);
  });
});

describe('an edited file', () => {
  it('closes what it lists no more, opens what is new and leaves the rest', async () => {
    const sources = await read(file('one', '/nowhere/1.log') + file('two', '/nowhere/2.log'));
    await sources.replace(file('two', '/nowhere/2.log') + file('three', '/nowhere/3.log'));
    expect(closed).toEqual([1]);
    expect(opened.map(({ location }) => location)).toEqual(['/nowhere/1.log', '/nowhere/2.log', '/nowhere/3.log']);
  });

  it('changes nothing when it has problems', async () => {
    const sources = await read(file('one', '/nowhere/1.log'));
    await sources.replace('[bad]\ntype = "FileInput"\n').catch(() => undefined);
    expect(closed).toEqual([]);
    expect(opened).toHaveLength(1);
  });
});

describe('a source of the window', () => {
  it('is written into the file, and its section goes with it', async () => {
    const sources = await read(file('shop', '/nowhere/a.log'));
    const id = await sources.addCommand('uptime -p');
    await until(() => readFileSync(path, 'utf8').includes('uptime'));
    expect(await sources.addCommand('uptime -p')).toBe(id);
    expect(opened.map(({ resumed = false }) => resumed)).toEqual([false, true]);
    sources.remove(sourceOf(id - 1));
    await until(() => !readFileSync(path, 'utf8').includes('uptime'));
    expect(readFileSync(path, 'utf8')).toContain('/nowhere/a.log');
  });

  it('is refused when nobody confirms it, and nothing is written', async () => {
    const sources = await read(file('shop', '/nowhere/a.log'));
    confirms = false;
    await expect(sources.addCommand('uptime -p')).rejects.toMatchObject({ code: 'consent.refused' });
    expect(readFileSync(path, 'utf8')).not.toContain('uptime');
  });

  it('is shifted without being opened anew', async () => {
    const sources = await read(file('shop', '/nowhere/a.log'));
    sources.setTimeOffset(sourceOf(0), 60);
    await until(() => readFileSync(path, 'utf8').includes('time_offset = 60'));
    await sources.replace(readFileSync(path, 'utf8'));
    expect([opened.length, closed]).toEqual([1, []]);
  });

  it('whose edit cannot be written is told of', async () => {
    const sources = await read(file('shop', '/nowhere/a.log'));
    writeFileSync(path, '[broken');
    sources.addFile('/nowhere/b.log');
    await until(() => said.some(([code]) => code === 'workspace.unwritten'));
    expect(readFileSync(path, 'utf8')).toBe('[broken');
  });
});
