import { expect, it } from 'vitest';
import { templateOf } from '../../../../engine/cli/scripts/script-templates.ts';
import { readMeta } from '../../../../engine/plugins/meta.ts';

it.each(['decoder', 'filter', 'encoder'] as const)('the template of a script of the kind %s describes itself by its name', (kind) => {
  const { script, tests, input } = templateOf(kind, 'my_own');
  const meta = readMeta(script, '/my_own.ts');
  expect(meta).toMatchObject({ name: 'my_own', kind });
  const parameters = Object.keys(meta?.parameters ?? {});
  expect(parameters.length).toBeGreaterThan(0);
  for (const parameter of parameters) expect(script).toContain(`read_config('${parameter}')`);
  for (const test of tests as readonly { readonly config?: object }[])
    expect(parameters).toEqual(expect.arrayContaining(Object.keys(test.config ?? {})));
  expect(input.text.endsWith('\n')).toBe(true);
});

it.each(['decoder', 'filter', 'encoder'] as const)('the tests of a %s have titles of their own, and say what comes out', (kind) => {
  const tests = templateOf(kind, 'x').tests as readonly { readonly title: string; readonly out?: unknown; readonly fails?: string }[];
  expect(new Set(tests.map(({ title }) => title)).size).toBe(tests.length);
  for (const { out, fails } of tests) expect((out === undefined) !== (fails === undefined)).toBe(true);
});
