import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  lookAtLookups,
  lookupFolder,
  lookupNamed,
  lookupNames,
  lookupVersion,
  onLookupNews,
  useLookups,
} from '../../../engine/lookup/folder.ts';
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

describe('a file that is used', () => {
  const READ = 'lookup.read: Lookup list has changed, and was read again.';
  const path = (): string => join(folder, 'list.csv');
  let told: string[];
  let end: Disposable;
  beforeEach(() => {
    told = [];
    end = onLookupNews(({ code, text }) => told.push(`${code}: ${text}`));
    put('list.csv', 'id,owner\na,x\n');
    utimesSync(path(), 1, 1);
  });
  afterEach(() => end[Symbol.dispose]());

  it.each<[string, () => void, (string | null)[], string | null]>([
    ['is the same', () => undefined, ['x', null], null],
    ['has changed', () => put('list.csv', 'id,owner\nb,y\n'), [null, 'y'], READ],
    ['has other columns', () => put('list.csv', 'id,by,owner\na,b,z\n'), ['z', null], READ],
    [
      'is broken',
      () => put('list.csv', 'id,owner\na,b,c\n'),
      ['x', null],
      'FOLDER/list.csv:2: the row has 3 cells, and the first one has 2',
    ],
    [
      'has lost a column that is asked for',
      () => put('list.csv', 'id,by\na,b\n'),
      ['x', null],
      'FOLDER/list.csv has no column owner: known are id, by',
    ],
    ['is gone', () => rmSync(path()), ['x', null], 'FOLDER/list.csv cannot be read: it does not exist'],
  ])('%s', (_case, change, expected, news) => {
    const lookup = lookupNamed('list');
    const find = lookup.column('owner');
    const version = lookupVersion();
    change();
    lookAtLookups();
    expect(told).toEqual([]);
    for (let i = 0; i < 3; i++) lookAtLookups();
    expect([find('a'), find('b')]).toEqual(expected);
    expect(lookupNamed('list')).toBe(lookup);
    const problem = `lookup.unusable: Lookup list has changed, and goes on with what it had: ${news?.replace('FOLDER', folder)}`;
    expect(told).toEqual(news === null || news === READ ? [news].filter(Boolean) : [problem]);
    expect(lookupVersion() > version).toBe(news === READ);
  });

  it('is looked at by itself', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const lookup = lookupNamed('list');
      put('list.csv', 'id,owner\nb,y\n');
      vi.advanceTimersByTime(2_000);
      expect(lookup.has('b')).toBe(true);
    } finally {
      useLookups(null);
      vi.useRealTimers();
    }
  });
});

it('a broken file is read when it has changed', () => {
  put('list.csv', 'id\na,b\n');
  expect(() => lookupNamed('list')).toThrow('the row has 2 cells');
  put('list.csv', 'id\nabc\n');
  expect(lookupNamed('list').has('abc')).toBe(true);
});

it('says which lookups there are', () => {
  expect(lookupNames()).toEqual([]);
  for (const name of ['geo.mmdb', 'blocked.csv', 'notes.txt']) put(name, '');
  expect(lookupNames()).toEqual(['blocked', 'geo']);
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
  ['x', () => useLookups(null), 'there is no lookup x, for no folder of lookups is given: commands have the option --lookups DIR'],
])('%s is refused', (name, prepare, message) => {
  prepare();
  expect(() => lookupNamed(name)).toThrow(message.replaceAll('FOLDER/', join(folder, '/')).replaceAll('FOLDER', folder));
});

it('a folder that is not there is none', () => {
  expect(lookupFolder()).toBe(folder);
  useLookups(join(folder, 'none'));
  expect(lookupFolder()).toBe(null);
});
