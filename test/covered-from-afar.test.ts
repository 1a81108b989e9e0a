import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { coveredFromAfar, entriesOf, isSource, testOf } from '../scripts/lib/covering.mjs';
import { inRoot, root } from '../scripts/lib/paths.mjs';

/** Lines above which a file has a test of its own or stands in the list. */
const SMALL = 60;
/** Least share of these files that have one. It only grows. */
const SHARE = 0.69;

const list = coveredFromAfar();
const exists = (path: string): boolean => existsSync(inRoot(path));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
const large = files.split('\n').filter((file) => isSource(file) && exists(file) && linesOf(file) > SMALL);
const mirrored = large.filter((file) => exists(testOf(file)));
const others = large.filter((file) => !exists(testOf(file)));

function linesOf(file: string): number {
  return readFileSync(inRoot(file), 'utf8').split('\n').length - 1;
}

describe('a source above 60 lines', () => {
  it('has a test file of its name, or stands in the list', () => {
    expect(large.length).toBeGreaterThan(500);
    expect(others.filter((file) => entriesOf(file, list).length === 0)).toEqual([]);
  });

  it('has one as often as before', () => expect(mirrored.length / large.length).toBeGreaterThanOrEqual(SHARE));
});

describe('the list', () => {
  it('names tests that there are', () => {
    const tests = list.flatMap(({ by }) => by);
    expect(tests.filter((path) => !exists(path))).toEqual([]);
  });

  it('names nothing that is gone, is short or has a test of its own', () => {
    const names = list.flatMap(({ of }) => of);
    const used = new Set(others.flatMap((file) => entriesOf(file, list).flatMap(({ of }) => of.filter((name) => file.startsWith(name)))));
    expect(names.filter((name) => !used.has(name))).toEqual([]);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  });

  it('says why', () => expect(list.filter(({ why }) => why === '')).toEqual([]));
});
