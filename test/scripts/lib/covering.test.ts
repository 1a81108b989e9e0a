import { describe, expect, it } from 'vitest';
import { entriesOf, isSource, testOf, testsOf, type Afar } from '../../../scripts/lib/covering.mjs';
import { vitest } from '../../../scripts/lib/steps.mjs';

it.each([
  ['engine/a/b.ts', 'test/engine/a/b.test.ts'],
  ['scripts/lib/run.mjs', 'test/scripts/lib/run.test.ts'],
  ['renderer/src/state/logs.svelte.ts', 'test/renderer/src/state/logs.test.ts'],
  ['renderer/src/App.svelte', 'test/renderer/src/App.test.ts'],
])('the test of %s is %s', (source, test) => {
  expect(isSource(source)).toBe(true);
  expect(testOf(source)).toBe(test);
});

it.each(['README.md', 'plugins/api.d.ts', 'test/until.ts', 'renderer/dev/main.ts', 'bench/main.ts'])('%s has no test', (file) => {
  expect(isSource(file)).toBe(false);
  expect(testsOf([file])).toEqual([]);
});

describe('testsOf', () => {
  const entry = (of: readonly string[], ...by: string[]): Afar => ({ of, by, why: 'so' });
  const LIST = [
    entry(['engine/a/'], 'test/a.test.ts'),
    entry(['engine/a/b/', 'engine/c.ts'], 'test/b.test.ts', 'test/e2e/b.test.ts'),
    entry(['engine/c.ts'], 'test/c.test.ts'),
    entry(['engine/d/'], 'test/fuzz'),
  ];
  const tests = (...files: string[]): string[] => testsOf(files, LIST, (path) => path === 'test/engine/a/own.test.ts');

  it.each<[string, string[], string[]]>([
    ['the test of its own, though its folder stands in the list', ['engine/a/own.ts'], ['test/engine/a/own.test.ts']],
    ['those of its folder', ['engine/a/x.ts'], ['test/a.test.ts']],
    ['those of the innermost folder', ['engine/a/b/x.ts'], ['test/b.test.ts', 'test/e2e/b.test.ts']],
    ['those of each entry that names it', ['engine/c.ts'], ['test/b.test.ts', 'test/c.test.ts', 'test/e2e/b.test.ts']],
    ['all of a folder of tests', ['engine/d/x.ts'], ['test/fuzz/fuzz.test.ts']],
    ['none when the list does not know it', ['engine/x.ts', 'engine/cc.ts'], []],
    ['each once', ['engine/a/x.ts', 'engine/a/y.ts'], ['test/a.test.ts']],
  ])('finds %s', (_what, files, wanted) => expect(tests(...files)).toEqual(wanted));

  it('takes no folder for one whose name only begins alike', () => expect(entriesOf('engine/ab/x.ts', LIST)).toEqual([]));
});

it('runs nothing when nothing changed', async () => {
  expect(await vitest('unit', { related: [] })).toEqual({ passed: 0, failed: 0, skipped: 0, failures: [] });
});
