/** Paths that are dragged into the window: odd names, and files that are no logs. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slowness } from '../../../patience.ts';
import { Engine } from '../engine-fixture.ts';

let engine: Engine;
let folder: string;
beforeEach(() => {
  engine = new Engine();
  folder = join(engine.folder, 'dropped');
  mkdirSync(folder);
});
afterEach(() => engine.stop());

const at = (name: string): string => join(folder, name);
const notUtf8 = (): void => writeFileSync(Buffer.concat([Buffer.from(at('bad')), Buffer.from([0xff]), Buffer.from('.log')]), 'one\n');

/** Drops paths, and tells of each source that it makes its label, its records, and its problem. */
async function dropped(...paths: readonly string[]): Promise<[string, number, string | null][]> {
  for (const path of paths) await engine.grant(path, 'open');
  const { opened } = await engine.ask('source.open', { paths: [...paths] });
  for (const id of opened) await engine.settled(id);
  const { sources } = await engine.ask('engine.state', {});
  return sources.filter(({ id }) => opened.includes(id)).map(({ label, records, problem }) => [label, records, problem]);
}

const notices = (): string[] => engine.events.flatMap(({ name, data }) => (name === 'notice' ? [(data as { text: string }).text] : []));

describe.runIf(process.platform === 'linux')('dropped', () => {
  it.each([
    ['new\nline.log', 'new\\nline.log'],
    ['* [x] {y}.log', '* [x] {y}.log'],
    [' blank .log ', ' blank .log '],
    ['-rf', '-rf'],
    ['\u202egol.txt', '\\u202egol.txt'],
  ])('a file called %j is read', async (name, label) => {
    writeFileSync(at(name), 'one\n');
    expect(await dropped(at(name))).toEqual([[label, 1, null]]);
  });

  it.each<[string, (path: string) => void, string]>([
    ['a pipe', (path) => execFileSync('mkfifo', [path]), 'is a pipe'],
    ['a link to nowhere', (path) => symlinkSync('/nowhere', path), 'does not exist'],
    ['a link to itself', (path) => symlinkSync(path, path), 'leads back to itself'],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'a device, not a file'],
    ['a link to the memory of the process', (path) => symlinkSync('/proc/self/mem', path), 'cannot be read'],
  ])('%s is told, beside a file that is read', async (_what, make, problem) => {
    make(at('odd.log'));
    writeFileSync(at('app.log'), 'one\n');
    expect(await dropped(at('odd.log'), at('app.log'))).toEqual([
      ['odd.log', 0, expect.stringContaining(problem)],
      ['app.log', 1, null],
    ]);
  });

  it('a file whose name is not UTF-8 is told, by itself and in its folder', async () => {
    notUtf8();
    writeFileSync(at('app.log'), 'one\n');
    expect(await dropped(at('bad\ufffd.log'))).toEqual([['bad\ufffd.log', 0, expect.stringContaining('or its name is not UTF-8')]]);
    expect(await dropped(folder)).toEqual([['app.log', 1, null]]);
    expect(notices()).toContainEqual(expect.stringContaining('bad\ufffd.log (its name is not UTF-8: rename it)'));
  });

  it('a folder with more files than are opened at once holds nothing up, and tells what is left out', async () => {
    for (let i = 0; i < 2000; i++) writeFileSync(at(`app${i}-x.log`), `line ${i}\n`);
    let [longest, last] = [0, performance.now()];
    const beats = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await engine.grant(folder, 'open');
    const { opened } = await engine.ask('source.open', { paths: [folder] });
    clearInterval(beats);
    expect(opened).toHaveLength(200);
    expect(notices()).toContainEqual(expect.stringContaining('1,800 files were left out'));
    expect(longest).toBeLessThan(1000 * slowness());
  });
});
