import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStatus, StatusFile } from '../../../engine/cli/status-file.ts';

let folder: string;
let file: StatusFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-status-'));
  file = new StatusFile(folder, 'shop.toml');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const report = (name: string): string => `{"inputs":[{"Name":"${name}"}]}\n`;

describe('a status file', () => {
  it('says which process runs, with its last report, for its user alone', async () => {
    const before = Date.now();
    file.write(report('a'));
    await file.settled();
    const status = await readStatus(folder);
    expect(status).toMatchObject({ pid: process.pid, config: resolve('shop.toml'), report: { inputs: [{ Name: 'a' }] } });
    expect(status?.time).toBeGreaterThanOrEqual(before);
    expect(status?.memory).toBeGreaterThan(1e6);
    expect(readdirSync(folder)).toEqual(['status.json']);
  });

  it('leaves a report out while the one before is being written, and takes the next', async () => {
    for (const name of ['a', 'b']) file.write(report(name));
    await file.settled();
    expect((await readStatus(folder))?.report).toEqual({ inputs: [{ Name: 'a' }] });
    file.write(report('c'));
    await file.settled();
    expect((await readStatus(folder))?.report).toEqual({ inputs: [{ Name: 'c' }] });
  });

  it('is gone at the end, also when it is just being written or was never', async () => {
    file.write(report('a'));
    for (let times = 0; times < 2; times++) await file.remove();
    expect(readdirSync(folder)).toEqual([]);
    expect(await readStatus(folder)).toBeNull();
  });

  it('does not fail where it cannot be written', async () => {
    rmSync(folder, { recursive: true });
    file.write(report('a'));
    await expect(file.settled()).resolves.toBeUndefined();
    await expect(file.remove()).resolves.toBeUndefined();
  });

  it.each(['', '{"pid":', '[]', '{"pid":1}', '{"pid":"1","config":"","started":0,"time":0,"memory":0,"report":{}}'])(
    '%j says nothing',
    async (text) => {
      writeFileSync(join(folder, 'status.json'), text);
      expect(await readStatus(folder)).toBeNull();
    },
  );

  it('is refused when it is no file', async () => {
    mkdirSync(join(folder, 'status.json'));
    await expect(readStatus(folder)).rejects.toThrow('it is a folder, not a regular file');
  });
});
