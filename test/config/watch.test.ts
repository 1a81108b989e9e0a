import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchConfig, type ConfigWatch } from '../../engine/config/index.ts';

let folder: string;
let watch: ConfigWatch;
let changes: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluicebox-watch-'));
  changes = 0;
});
afterEach(async () => {
  watch.close();
  await rm(folder, { recursive: true, force: true });
});

const at = (...names: string[]): string => join(folder, ...names);
async function watching(path: string): Promise<void> {
  watch = watchConfig(path, () => changes++);
  await delay(100);
}
const told = (count: number): Promise<void> => expect.poll(() => changes, { interval: 20 }).toBe(count);

describe('a watch on a configuration', () => {
  it('tells each edit of a file once, however it is written', async () => {
    await writeFile(at('p.toml'), 'a');
    await watching(at('p.toml'));
    await writeFile(at('p.toml'), 'b');
    await told(1);
    await writeFile(at('p.toml'), '');
    await writeFile(at('p.toml'), 'cc');
    await told(2);
    await writeFile(at('new'), 'd');
    await rename(at('new'), at('p.toml'));
    await told(3);
    await rm(at('p.toml'));
    await told(4);
    await writeFile(at('p.toml'), 'e');
    await told(5);
    await delay(400);
    expect(changes).toBe(5);
  });

  it('tells of the files of a folder, and of no others', async () => {
    await mkdir(at('conf'));
    await writeFile(at('conf', 'a.toml'), 'a');
    await watching(at('conf'));
    await writeFile(at('conf', 'notes.txt'), 'x');
    await delay(400);
    expect(changes).toBe(0);
    await writeFile(at('conf', 'b.toml'), 'b');
    await told(1);
    await rm(at('conf', 'a.toml'));
    await told(2);
    await utimes(at('conf', 'b.toml'), new Date(5000), new Date(5000));
    await told(3);
  });

  it('is silent when it is closed', async () => {
    await writeFile(at('p.toml'), 'a');
    await watching(at('p.toml'));
    watch.close();
    await writeFile(at('p.toml'), 'b');
    await delay(500);
    expect(changes).toBe(0);
  });
});
