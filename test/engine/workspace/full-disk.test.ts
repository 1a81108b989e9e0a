/** Files that the window writes while a disk is full: it says so, existing files stay as they were, and no half of a file is left. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeState, readState } from '../../../engine/sandbox/wire/preservation.ts';
import { KeptFile } from '../../../engine/workspace/marks/kept-file.ts';
import { DEFAULT_TEMPLATES } from '../../../engine/workspace/file/templates.ts';
import { WorkspaceFile } from '../../../engine/workspace/file/workspace-file.ts';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';
import { Engine } from './engine-fixture.ts';

let disk: SmallDisk;
let engine: Engine;

describe.runIf(CAN_MOUNT)('a full disk, where file systems can be mounted', () => {
  beforeEach(() => {
    disk = new SmallDisk(256);
    engine = new Engine();
  });
  afterEach(async () => {
    await engine.workspace.stop();
    disk[Symbol.dispose]();
  });

  const ended = (id: number): { state: string; problem: string | null } | undefined =>
    engine.events
      .flatMap(({ name, data }) => (name === 'export' ? [data as { id: number; state: string; problem: string | null }] : []))
      .findLast((info) => info.id === id && info.state !== 'running');

  it.each(['export', 'workspace'])('%s: the file that was there stays, and it can be written when there is room', async (what) => {
    const log = engine.file('a.log', Array.from({ length: 3000 }, () => `${Math.random()} ${Math.random()}\n`).join(''));
    await engine.settled(await engine.open(log));
    const path = disk.at(what === 'export' ? 'out.log' : 'case.sluicebox');
    writeFileSync(path, 'what was there');
    disk.fill();
    const write = async (): Promise<number> => {
      await engine.grant(path);
      const { id } =
        what === 'export'
          ? await engine.ask('export.start', { query: {}, format: 'raw', columns: [], path })
          : await engine.ask('workspace.save', { path, records: true, window: {} });
      return id;
    };
    const first = await write();
    await expect.poll(() => ended(first)).toMatchObject({ state: 'failed', problem: expect.stringContaining('ENOSPC') as string });
    expect(readFileSync(path, 'utf8')).toBe('what was there');
    expect(readdirSync(disk.path).sort()).toEqual([path.slice(disk.path.length + 1), 'filler'].sort());
    disk.free();
    const second = await write();
    await expect.poll(() => ended(second)).toMatchObject({ state: 'done', problem: null });
    if (what === 'export') expect(readFileSync(path, 'utf8')).toBe(readFileSync(log, 'utf8'));
  });

  it('the file of the workspace at the first start: the default filters apply, and it is made when there is room', async () => {
    const file = new WorkspaceFile(disk.at('workspace.toml'));
    disk.fill();
    const { templates, problems } = await file.read();
    expect([templates.length, problems]).toEqual([DEFAULT_TEMPLATES.length, []]);
    await expect(file.rememberFile('/a.log', null)).rejects.toThrow('ENOSPC');
    expect(readdirSync(disk.path)).toEqual(['filler']);
    disk.free();
    await file.rememberFile('/a.log', null);
    const { templates: now, sources } = await file.read();
    expect([now.length, sources.length]).toEqual([DEFAULT_TEMPLATES.length, 1]);
  });

  it('the file of the workspace: an edit is refused, and made when there is room', async () => {
    const file = new WorkspaceFile(disk.at('workspace.toml'));
    await file.setQuery('one', 'SELECT 1');
    const before = readFileSync(file.path, 'utf8');
    disk.fill();
    await expect(file.setQuery('two', `SELECT '${'x'.repeat(9000)}'`)).rejects.toThrow('ENOSPC');
    expect(readFileSync(file.path, 'utf8')).toBe(before);
    disk.free();
    await file.setQuery('two', 'SELECT 2');
    expect(readFileSync(file.path, 'utf8')).toMatch(/SELECT 1[^]*SELECT 2/);
    expect(readdirSync(disk.path)).toEqual(['workspace.toml']);
  });

  it('the file of the workspace: none is left that was begun only', async () => {
    disk.fill();
    const file = new WorkspaceFile(disk.at('workspace.toml'));
    await expect(file.text()).rejects.toThrow('ENOSPC');
    expect(readdirSync(disk.path)).toEqual(['filler']);
    disk.free();
    expect(await file.text()).toMatch(/^# /);
  });

  it('marks: what was written last stays, it is said, and the next change has all', async () => {
    const said: string[] = [];
    const options = { path: disk.at('marks.json'), parse: (text: string) => text, format: (text: string) => text };
    const file = new KeptFile<string>({ ...options, failed: (text) => said.push(text) });
    file.write('one');
    await file.settled();
    disk.fill();
    file.write('x'.repeat(9000));
    await file.settled();
    expect(said).toEqual([
      expect.stringMatching(/marks\.json cannot be written \(ENOSPC.*free some space on its disk\. It is tried again\.$/),
    ]);
    expect(file.read()).toBe('one');
    file.write('two'.repeat(3000));
    await file.settled();
    expect(said).toHaveLength(1);
    disk.free();
    await file.settled();
    expect(file.read()).toBe('two'.repeat(3000));
    file.write('three');
    await file.settled();
    expect(file.read()).toBe('three');
    expect(readdirSync(disk.path)).toEqual(['marks.json']);
  });

  it('the state of a script: what was written last stays', async () => {
    const state = (text: string) => ({ head: { wide: false, version: 1 }, text: Buffer.from(text), block: Buffer.alloc(0) });
    const path = disk.at('state.data');
    await writeState(path, state('one'));
    disk.fill();
    await expect(writeState(path, state('x'.repeat(9000)))).rejects.toThrow('ENOSPC');
    // Room for a part of it only: the system takes that, and says nothing.
    disk.leave(8192);
    await expect(writeState(path, state('x'.repeat(90_000)))).rejects.toThrow('ENOSPC');
    expect(Buffer.from((await readState(path))?.text ?? []).toString()).toBe('one');
    disk.free();
    await writeState(path, state('two'));
    expect(Buffer.from((await readState(path))?.text ?? []).toString()).toBe('two');
    expect(readdirSync(disk.path)).toEqual(['state.data']);
  });
});
