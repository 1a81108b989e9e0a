/** The bounds that bundled scripts declare: they take what lies on them, and nothing beyond is passed to them. */
import { expect, test } from 'vitest';
import { bundledPlugins } from '../../engine/plugins/catalog.ts';
import { startParameters } from '../../engine/plugins/parameters.ts';
import type { ParameterMeta } from '../../engine/plugins/types.ts';
import type { Value } from './support/message.ts';
import { metaOf, startPlugin } from './support/sandbox.ts';

/** A value of each parameter that must be set. */
const REQUIRED: Readonly<Record<string, Value>> = {
  ...{ log_format: 'combined', format: 'elb', pattern: '(?<a>.)', template: '%msg%', message_variable: 'Fields[a]' },
  ...{ match: '%{WORD:a}', fields: 'a', stats: 'a', stat_labels: 'a', max_hosts: 1, rows: 2 },
};
/** A step beyond a bound. */
const STEP = { uint: 1, int: 1, number: 1e-9 } as const;

function within({ minimum, maximum, values = [], format }: ParameterMeta): Value[] {
  return [minimum ?? [], maximum ?? [], values, format === 'regexp' ? ['', '^a+$'] : []].flat();
}

function beyond({ type, minimum, maximum, values, format }: ParameterMeta): Value[] {
  const step = type === 'string' || type === 'bool' ? 0 : STEP[type];
  const texts = [values === undefined ? [] : [`${values.join('')}x`], format === 'regexp' ? ['('] : []].flat();
  return [minimum === undefined ? [] : minimum - step, maximum === undefined ? [] : maximum + step, texts].flat();
}

const scripts = (['decoder', 'filter', 'encoder'] as const).flatMap(bundledPlugins);
const bounded = scripts.flatMap((script) =>
  Object.entries(script.meta?.parameters ?? {})
    .filter(([, declared]) => beyond(declared).length > 0)
    .map(([name, declared]) => [`${script.meta?.kind}s/${script.name}`, name, declared, script] as const),
);

test('many parameters have bounds', () => expect(bounded.length).toBeGreaterThan(30));

test.each(bounded)('%s: %s', (file, name, declared, script) => {
  const parameters = Object.entries(metaOf(`${file}.ts`).parameters);
  const required = Object.fromEntries(
    parameters.filter(([, meta]) => meta.required === true).map(([key]) => [key, REQUIRED[key] as Value]),
  );
  for (const value of within(declared)) expect(() => startPlugin(`${file}.ts`, { ...required, [name]: value })).not.toThrow();
  for (const value of beyond(declared)) {
    const start = (): unknown => startParameters(script, { ...required, [name]: value });
    expect(start).toThrow(`${script.name}: parameter ${name} must be `);
    expect(start).toThrow(`not ${JSON.stringify(value)}`);
  }
});
