import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KeptFile } from '../../../../engine/workspace/marks/kept-file.ts';
import { until } from '../../../until.ts';

describe('KeptFile', () => {
  let folder: string;
  let complaints: string[];
  const file = (path: string): KeptFile<number> =>
    new KeptFile({
      path,
      parse: (text) => {
        const value: unknown = JSON.parse(text);
        if (typeof value !== 'number') throw new TypeError('no number');
        return value;
      },
      format: String,
      failed: (text) => complaints.push(text),
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-kept-'));
    complaints = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('reads what was written last, and nothing where there is nothing', async () => {
    const path = join(folder, 'new', 'value.json');
    const kept = file(path);
    expect(kept.read()).toBeNull();
    for (let i = 0; i < 20; i++) kept.write(i);
    await kept.settled();
    expect(file(path).read()).toBe(19);
    expect(complaints).toEqual([]);
  });

  it('puts a damaged file aside, and says so', async () => {
    const path = join(folder, 'value.json');
    writeFileSync(path, '"text"');
    const kept = file(path);
    expect(kept.read()).toBeNull();
    expect(complaints).toEqual([`${path} is damaged. It was put aside as ${path}.damaged.`]);
    kept.write(3);
    await kept.settled();
    expect(readFileSync(`${path}.damaged`, 'utf8')).toBe('"text"');
    expect(readFileSync(path, 'utf8')).toBe('3');
  });

  it('puts aside what cannot be read', async () => {
    const path = join(folder, 'value.json');
    mkdirSync(path);
    writeFileSync(join(path, 'inside'), 'kept');
    const kept = file(path);
    expect(kept.read()).toBeNull();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toMatch(/cannot be read: .*It was put aside/);
    kept.write(3);
    await kept.settled();
    expect(readFileSync(join(`${path}.damaged`, 'inside'), 'utf8')).toBe('kept');
    expect(readFileSync(path, 'utf8')).toBe('3');
  });

  it('writes over nothing that was put aside before', () => {
    const path = join(folder, 'value.json');
    for (const text of ['one', 'two', 'three']) {
      writeFileSync(path, text);
      expect(file(path).read()).toBeNull();
    }
    expect(['', '-2', '-3'].map((end) => readFileSync(`${path}.damaged${end}`, 'utf8'))).toEqual(['one', 'two', 'three']);
    expect(complaints[2]).toBe(`${path} is damaged. It was put aside as ${path}.damaged-3.`);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', () => {
    const path = join(folder, 'value.json');
    execFileSync('mkfifo', [path]);
    expect(file(path).read()).toBeNull();
    expect(complaints).toEqual([`${path} cannot be read: it is a pipe, not a regular file. It was put aside as ${path}.damaged.`]);
  });

  it('leaves what can be neither read nor put aside as it is, and says so', async () => {
    const place = join(folder, 'file');
    writeFileSync(place, '"text"');
    const kept = file(join(place, 'value.json'));
    expect(kept.read()).toBeNull();
    kept.write(3);
    await kept.settled();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('cannot be put aside, so nothing is written to it');
    expect(readFileSync(place, 'utf8')).toBe('"text"');
  });

  it('says what cannot be written', async () => {
    writeFileSync(join(folder, 'taken'), '');
    const kept = file(join(folder, 'taken', 'value.json'));
    kept.write(1);
    await kept.settled();
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain('cannot be written');
  });

  it('is written by itself when that is possible again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    writeFileSync(join(folder, 'taken'), '');
    const kept = file(join(folder, 'taken', 'value.json'));
    kept.write(1);
    await kept.settled();
    rmSync(join(folder, 'taken'));
    vi.advanceTimersByTime(5000);
    vi.useRealTimers();
    await until(() => existsSync(join(folder, 'taken', 'value.json')), 'the file');
    await kept.settled();
    expect(kept.read()).toBe(1);
    expect(complaints).toHaveLength(1);
  });
});
