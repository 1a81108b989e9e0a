import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { signOfConfig, watchConfig, type ConfigWatch } from '../../../engine/config/watch.ts';
import { until } from '../../until.ts';

let folder: string;
let watch: ConfigWatch;
let changes: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-watch-'));
  changes = 0;
});
afterEach(() => {
  watch.close();
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const at = (...names: string[]): string => join(folder, ...names);
const watching = (path: string): void => void (watch = watchConfig(path, () => changes++));
/** Lets the watch's clock go on, a poll and the time without edits after it. */
const passTime = (): void => void vi.advanceTimersByTime(2000);
async function told(count: number): Promise<void> {
  await until(() => (passTime(), changes >= count), `change ${count}`);
  expect(changes).toBe(count);
}

it('a watch also tells edits of further files', async () => {
  const also = [at('more', '*.toml'), at('secret')];
  mkdirSync(at('more'));
  writeFileSync(at('p.toml'), 'a');
  watch = watchConfig(
    at('p.toml'),
    () => changes++,
    signOfConfig(at('p.toml'), also),
    () => also,
  );
  writeFileSync(at('more', 'x.toml'), 'a');
  await told(1);
  writeFileSync(at('secret'), 'a');
  await told(2);
  writeFileSync(at('more', 'x.txt'), 'a');
  passTime();
  expect(changes).toBe(2);
});

// Files are written in one go: a busy machine could make two edits of one.
describe('a watch on a configuration', () => {
  it('tells each edit of a file once, however it is written', async () => {
    writeFileSync(at('p.toml'), 'a');
    watching(at('p.toml'));
    writeFileSync(at('p.toml'), 'bb');
    await told(1);
    writeFileSync(at('p.toml'), '');
    writeFileSync(at('p.toml'), 'ccc');
    await told(2);
    writeFileSync(at('new'), 'd');
    renameSync(at('new'), at('p.toml'));
    await told(3);
    rmSync(at('p.toml'));
    await told(4);
    writeFileSync(at('p.toml'), 'e');
    await told(5);
    passTime();
    expect(changes).toBe(5);
  });

  it('tells of the files of a folder, and of no others', async () => {
    mkdirSync(at('conf'));
    writeFileSync(at('conf', 'a.toml'), 'a');
    watching(at('conf'));
    writeFileSync(at('conf', 'notes.txt'), 'x');
    passTime();
    expect(changes).toBe(0);
    writeFileSync(at('conf', 'b.toml'), 'b');
    await told(1);
    rmSync(at('conf', 'a.toml'));
    await told(2);
    utimesSync(at('conf', 'b.toml'), new Date(5000), new Date(5000));
    await told(3);
  });

  it('tells what was edited since it was read', async () => {
    writeFileSync(at('p.toml'), 'a');
    const read = signOfConfig(at('p.toml'));
    writeFileSync(at('p.toml'), 'bb');
    watch = watchConfig(at('p.toml'), () => changes++, read);
    await told(1);
  });

  it('is silent when it is closed', async () => {
    writeFileSync(at('p.toml'), 'a');
    watching(at('p.toml'));
    watch.close();
    writeFileSync(at('p.toml'), 'b');
    passTime();
    expect(changes).toBe(0);
  });
});
