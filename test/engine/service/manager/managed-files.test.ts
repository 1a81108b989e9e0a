import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fullName, isTooLong, ManagedFiles } from '../../../../engine/service/manager/managed-files.ts';

let root: string;
let files: ManagedFiles;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sluicebox-managed-'));
  files = new ManagedFiles(join(root, 'kept'), 'my manager');
  await files.open();
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ['m', 's', 'm-s'],
  ['my manager', '../x.y-z', 'my_manager-___x_y_z'],
  ['ä', 'B_9', '_-B_9'],
])('manager %j runs section %j as %s', (manager, section, name) => expect(fullName(manager, section)).toBe(name));

it.each([
  [240, false],
  [241, true],
])('a name of %d characters is too long: %s', (length, is) => expect(isTooLong('x'.repeat(length))).toBe(is));

it('keeps filters of its manager for nobody else to read', async () => {
  const name = fullName('my manager', 'a');
  await files.write(name, 'config', 'script');
  await files.write(fullName('other', 'b'), 'config', 'script');
  await files.write(fullName('my manager', 'A'), '', '');
  expect(await files.names()).toEqual(['my_manager-A', 'my_manager-a']);
  expect([await files.readConfig(name), readFileSync(files.script(name), 'utf8')]).toEqual(['config', 'script']);
  expect([files.config(name), files.script(name)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(statSync(join(root, 'kept')).mode & 0o777).toBe(0o700);
});

it('replaces files, and does not write through links', async () => {
  writeFileSync(join(root, 'other'), 'kept');
  const name = fullName('my manager', 'a');
  symlinkSync(join(root, 'other'), files.script(name));
  await files.write(name, '1', 'x');
  await files.write(name, '2', 'y');
  expect([await files.readConfig(name), readFileSync(join(root, 'other'), 'utf8')]).toEqual(['2', 'kept']);
});

it('removes both files, also when there are none', async () => {
  const name = fullName('my manager', 'a');
  await files.write(name, '', '');
  await files.remove(name);
  await files.remove(name);
  expect(await files.names()).toEqual([]);
});
