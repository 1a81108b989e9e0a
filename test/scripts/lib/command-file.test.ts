import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withSourcePlaces } from '../../../engine/base/process/source-places.ts';

const project = resolve(import.meta.dirname, '../../..');
const PARTS = ['scripts/lib/command-file.mjs', 'scripts/lib/bundle-command.mjs', 'scripts/lib/paths.mjs', 'scripts/lib/report.mjs'];

const MAIN = `
import { shown } from './shown.ts';
interface Options { readonly what: string }
const { what }: Options = { what: process.argv[2] ?? '' };
if (what === 'fail') throw new Error('on purpose');
console.log(JSON.stringify({ shown: shown(), later: (await import('./later.ts')).later }));
`;
const SHOWN = `
export const shown = (): string => import.meta.url;
`;

let root = '';

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Runs code in a process of its own, as the modules keep the folder that they are in. */
function evaluate(code: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const commandFile = (): string =>
  evaluate(`import { commandFile } from './scripts/lib/command-file.mjs'; process.stdout.write(commandFile());`);

function run(file: string, ...args: string[]): { stdout: string; stderr: string } {
  return spawnSync(process.execPath, [file, ...args], { cwd: root, encoding: 'utf8' });
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sluicebox-command-')));
  for (const path of PARTS) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(project, path), join(root, path));
  }
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('engine/cli/main.ts', MAIN);
  write('engine/cli/shown.ts', SHOWN);
  write('engine/cli/later.ts', 'export const later: number = 1;\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the file that the headless command is started with', () => {
  it('is a bundle that does what the sources do, and says where they lie', () => {
    const file = commandFile();
    expect(file).toMatch(/out\/command\/b-\w+\/main\.mjs$/);
    const shown = pathToFileURL(join(root, 'engine/cli/shown.ts')).href;
    for (const path of [file, join(root, 'engine/cli/main.ts')]) expect(JSON.parse(run(path).stdout)).toEqual({ shown, later: 1 });
  });

  it('loads modules of Node that few commands use when they are used, and does the same with them', () => {
    write(
      'engine/cli/main.ts',
      `
import { createHash as hashed, type Hash } from 'node:crypto';
import { Socket } from 'node:net';
import { basename, join as joined } from 'node:path';
import {
  constants,
  crc32,
} from 'node:zlib';
const loads = (): string[] => process.moduleLoadList.filter((name: string) => /^NativeModule (?:crypto|net|zlib)$/.test(name));
const before = loads();
const hash: Hash = hashed('sha256');
const made = [hash.update('x').digest('hex'), crc32('x'), constants.Z_BEST_SPEED, new Socket().destroy().destroyed, basename(joined('a', 'b'))];
console.log(JSON.stringify({ before: before.length, after: loads().length, made }));
`,
    );
    const [bundle, source] = [commandFile(), join(root, 'engine/cli/main.ts')].map((path) => JSON.parse(run(path).stdout) as object);
    expect(source).toMatchObject({ before: 3, after: 3 });
    expect(bundle).toEqual({ ...source, before: 0 });
  });

  it('has a map by which errors name the sources', () => {
    const { stderr } = run(commandFile(), 'fail');
    expect(stderr).toContain('out/command/');
    expect(withSourcePlaces(stderr)).toContain(`${pathToFileURL(join(root, 'engine/cli/main.ts')).href}:5:28`);
  });

  it('is made once, and anew when a source has changed', () => {
    const first = commandFile();
    expect(commandFile()).toBe(first);
    write('engine/cli/later.ts', 'export const later: number = 22;\n');
    const second = commandFile();
    expect(second).not.toBe(first);
    expect(JSON.parse(run(second).stdout)).toMatchObject({ later: 22 });
    // A command that was started from the first one may still load parts of it.
    expect(JSON.parse(run(first).stdout)).toMatchObject({ later: 1 });
  });

  it('is the source when that cannot be bundled', () => {
    commandFile();
    write('engine/cli/later.ts', 'export const later: number = ;\n');
    expect(commandFile()).toBe(join(root, 'engine/cli/main.ts'));
    expect(readdirSync(join(root, 'out/command')).filter((name) => name.startsWith('b-'))).toHaveLength(1);
  });

  it('is the source where there is no bundler', () => {
    rmSync(join(root, 'node_modules'));
    expect(commandFile()).toBe(join(root, 'engine/cli/main.ts'));
  });

  it.skipIf(process.getuid?.() === 0)('is the source where nothing can be written', () => {
    chmodSync(root, 0o500);
    expect(commandFile()).toBe(join(root, 'engine/cli/main.ts'));
    chmodSync(root, 0o700);
  });

  it('stays in a package, whatever times its files have', () => {
    evaluate(`import { bundleCommand } from './scripts/lib/bundle-command.mjs'; await bundleCommand(process.cwd(), { final: true });`);
    const file = commandFile();
    write('engine/cli/later.ts', 'export const later: number = 22;\n');
    rmSync(join(root, 'node_modules'));
    expect(commandFile()).toBe(file);
  });

  it('has beside it the bundle of the engine of the window, with the times of its sources', () => {
    write('engine/index.ts', `import { shown } from './cli/shown.ts';\nconsole.log(shown());\n`);
    evaluate(`import { bundleEngine } from './scripts/lib/bundle-command.mjs'; await bundleEngine(process.cwd());`);
    const { folder, sources } = JSON.parse(readFileSync(join(root, 'out/engine/current.json'), 'utf8')) as {
      folder: string;
      sources: [path: string, size: number, changed: number][];
    };
    expect(sources.map(([path]) => path).toSorted()).toEqual(['engine/cli/shown.ts', 'engine/index.ts']);
    const { stdout } = run(join(root, 'out/engine', folder, 'main.mjs'));
    expect(stdout).toBe(`${pathToFileURL(join(root, 'engine/cli/shown.ts')).href}\n`);
  });
});
