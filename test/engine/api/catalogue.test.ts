import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { ENDS, isEndCode, type EndEntry } from '../../../engine/api/ends.ts';
import { ERRORS, isErrorCode } from '../../../engine/api/errors.ts';
import type { CatalogueEntry } from '../../../engine/api/catalogue.ts';

const root = join(import.meta.dirname, '../../..');
const CATALOGUES = [join('engine', 'api', 'ends.ts'), join('engine', 'api', 'errors.ts')];
const code = globSync(['engine/**/*.ts', 'electron/**/*.ts'], { cwd: root })
  .filter((path) => !CATALOGUES.includes(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

// That each code that is used is in a catalogue is what the compiler sees to: the codes are types.
describe.each<[string, Readonly<Record<string, CatalogueEntry>>]>([
  ['ends', ENDS],
  ['errors', ERRORS],
])('the catalogue of %s', (_name, catalogue) => {
  it.each(Object.keys(catalogue))('has no entry that is used nowhere: %s', (entry) => {
    expect(code).toContain(`'${entry}'`);
  });

  it.each(Object.entries(catalogue))('says in sentences what happened and what to do: %s', (_code, { happened, advice }) => {
    expect(happened).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^(?:$|[A-Z].*[.])/);
  });
});

test('codes of the ends and of the errors are told apart', () => {
  expect(Object.keys(ENDS).filter(isErrorCode)).toEqual([]);
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
