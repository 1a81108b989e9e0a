import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { ENDS, isEndCode, type EndEntry } from '../../../engine/api/ends.ts';
import { ERRORS, isErrorCode } from '../../../engine/api/errors.ts';
import { NOTICES } from '../../../engine/api/notices.ts';
import type { CatalogueEntry } from '../../../engine/api/catalogue.ts';

const root = join(import.meta.dirname, '../../..');
const CATALOGUES = ['ends.ts', 'errors.ts', 'notices.ts'].map((name) => join('engine', 'api', name));
const sourceOf = (patterns: readonly string[]): string =>
  globSync(patterns, { cwd: root })
    .filter((path) => !CATALOGUES.includes(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
const code = sourceOf(['engine/**/*.ts', 'electron/**/*.ts']);
const withWindow = code + sourceOf(['renderer/src/**/*.ts']);

// That each code that is used is in a catalogue is what the compiler sees to: the codes are types.
describe.each<[string, Readonly<Record<string, CatalogueEntry>>, string]>([
  ['ends', ENDS, code],
  ['errors', ERRORS, code],
  ['notices', NOTICES, withWindow],
])('the catalogue of %s', (_name, catalogue, users) => {
  it.each(Object.keys(catalogue))('has no entry that is used nowhere: %s', (entry) => {
    expect(users).toContain(`'${entry}'`);
  });

  it.each(Object.entries(catalogue))('says in sentences what happened and what to do: %s', (_code, { happened, advice }) => {
    expect(happened).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^(?:$|[A-Z].*[.])/);
  });
});

test('no code is in two catalogues', () => {
  const codes = [ENDS, ERRORS, NOTICES].flatMap((catalogue) => Object.keys(catalogue));
  expect(codes.filter((each, at) => codes.indexOf(each) !== at)).toEqual([]);
});

test('codes are words with hyphens, behind the name of their area', () => {
  const codes = [ENDS, ERRORS, NOTICES].flatMap((catalogue) => Object.keys(catalogue));
  expect(codes.filter((each) => !/^[a-z]+(?:-[a-z]+)*(?:\.[a-z]+(?:-[a-z]+)*)?$/.test(each))).toEqual([]);
});

test('an end has a unit exactly when its words have a limit', () => {
  for (const [name, { happened, unit }] of Object.entries<EndEntry>(ENDS))
    expect([name, unit !== undefined]).toEqual([name, happened.includes('{limit}')]);
});

test.each(['', 'toString', '__proto__', 'limit.everything', null, 5, {}])('%j is not a code', (value) => {
  expect([isEndCode(value), isErrorCode(value)]).toEqual([false, false]);
});

test('no code reads a sentence to learn why something ended', () => {
  const reading = [
    /\b(?:reason|message|lastError)\)?\.(?:includes|startsWith|endsWith|match|search)\(/,
    /\.(?:test|exec)\((?:[\w.?]*\.)?(?:reason|lastError)\b/,
  ];
  const lines = code.split('\n').filter((text) => reading.some((pattern) => pattern.test(text)));
  expect(lines).toEqual([]);
});
