import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UserScripts } from '../../../engine/plugins/user-scripts.ts';

let folder: string;
let problems: string[];
let scripts: UserScripts;
let time = 1000;

const script = (name: string, kind = 'decoder'): string =>
  `export const meta = { name: '${name}', kind: '${kind}', summary: '', parameters: {}, examples: [] };\nexport function process_message() { return 0; }\n`;

/** Writes a file of another time each. */
function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  utimesSync(join(folder, name), ++time, time);
}
const names = (): string[] => scripts.read().map(({ name }) => name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-user-'));
  problems = [];
  scripts = new UserScripts(folder, 'decoder', (text) => problems.push(text));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('are those of their kind, in the order of their files', () => {
  write('b.ts', script('second'));
  write('a.js', script('first'));
  write('c.mjs', script('third'));
  write('filter.js', script('other', 'filter'));
  write('plain.js', 'function process_message() { return 0; }');
  write('types.d.ts', script('types'));
  write('notes.txt', script('text'));
  mkdirSync(join(folder, 'folder.js'));
  expect(names()).toEqual(['first', 'second', 'third']);
  expect(problems).toEqual([]);
});

it('are read again when they change, and go with their files', () => {
  write('a.js', script('before'));
  const [before] = scripts.read();
  expect(scripts.read()[0]).toBe(before);
  write('a.js', script('after'));
  expect(names()).toEqual(['after']);
  rmSync(join(folder, 'a.js'));
  expect(names()).toEqual([]);
});

it('tell once what is wrong with one, until it changes', () => {
  write('a.js', "export const meta = { name: 1, kind: 'decoder' };");
  write('b.js', script('good'));
  expect([names(), names()]).toEqual([['good'], ['good']]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('a.js');
  write('a.js', "export const meta = { name: 2, kind: 'decoder' };");
  names();
  expect(problems).toHaveLength(2);
});

it('are none without a folder', () => {
  rmSync(folder, { recursive: true });
  expect(names()).toEqual([]);
});
