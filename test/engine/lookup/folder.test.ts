import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lookupFolder, lookupNamed, useLookups } from '../../../engine/lookup/folder.ts';
import { mmdbOf } from './mmdb-writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lookups-'));
  useLookups(folder);
});
afterEach(() => {
  useLookups(null);
  rmSync(folder, { recursive: true });
});
const put = (name: string, content: string | Buffer): void => writeFileSync(join(folder, name), content);

it('a lookup is a file by the name of its stem', () => {
  put('blocked.csv', '10.0.0.0/8\n');
  put('GeoLite2-ASN.mmdb', mmdbOf({ '10.0.0.0/8': { autonomous_system_number: 64_512 } }));
  expect(lookupNamed('blocked').has('10.1.2.3')).toBe(true);
  expect(lookupNamed('GeoLite2-ASN').column('autonomous_system_number')('10.1.2.3')).toBe(64_512);
});

it('is read once, and again when the file has changed', () => {
  put('list.csv', 'id\na\n');
  const first = lookupNamed('list');
  expect(lookupNamed('list')).toBe(first);
  put('list.csv', 'id\nb\n');
  utimesSync(join(folder, 'list.csv'), 1, 1);
  expect([lookupNamed('list').has('a'), lookupNamed('list').has('b'), first.has('a')]).toEqual([false, true, true]);
});

it.each<[string, () => void, string]>([
  ['blockd', () => put('blocked.csv', '::1\n'), 'there is no lookup blockd in FOLDER: did you mean blocked?'],
  ['x', () => put('x.txt', ''), 'there is no lookup x in FOLDER: it has no files .csv and .mmdb'],
  ['x', () => (put('x.csv', '::1\n'), put('x.mmdb', '')), 'x.csv and x.mmdb in FOLDER have the same name'],
  ['x', () => mkdirSync(join(folder, 'x.csv')), 'FOLDER/x.csv cannot be read: it is a folder, not a regular file'],
  ['x', () => put('x.mmdb', 'k,v\n'), 'FOLDER/x.mmdb is no MMDB file that can be read: it has no metadata'],
  ['x', () => put('x.csv', 'k,v\na,b,c\n'), 'FOLDER/x.csv:2: the row has 3 cells'],
  ['../x', () => put('x.csv', '::1\n'), 'there is no lookup ../x'],
  ['x', () => useLookups(join(folder, 'none')), 'the lookups in FOLDER/none cannot be read: there is no such folder'],
  ['x', () => useLookups(null), 'no folder of lookups is given: commands have the option --lookups DIR'],
])('%s is refused', (name, prepare, message) => {
  prepare();
  expect(() => lookupNamed(name)).toThrow(message.replaceAll('FOLDER/', join(folder, '/')).replaceAll('FOLDER', folder));
});

it('a folder that is not there is none', () => {
  expect(lookupFolder()).toBe(folder);
  useLookups(join(folder, 'none'));
  expect(lookupFolder()).toBe(null);
});
