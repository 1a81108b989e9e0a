import { expect, test } from 'vitest';
import type { SchemaLogger } from '../../../../../engine/api/types.ts';
import type { App } from '../../../../../renderer/src/state/app.svelte.ts';
import { schemaActions } from '../../../../../renderer/src/views/overview/schema-actions.ts';
import { schemaRows } from '../../../../../renderer/src/views/overview/schema-rows.ts';

test('a line of the schema filters by the whole name', () => {
  const asked: string[] = [];
  const app = { filterBy: (_label: string, expression: string) => asked.push(expression) } as unknown as App;
  const logger: SchemaLogger = {
    name: 'mail:smtp',
    count: 1,
    types: [{ name: '/t:x', count: 1, versions: ['', 'a/v:2'].map((name) => ({ name, count: 1, fields: [] })) }],
  };
  for (const row of schemaRows([logger], new Set())) schemaActions(app, row)[0]?.run();
  expect(asked).toEqual(["Logger == 'mail:smtp'", "Type == '/t:x'", "EnvVersion == ''", "EnvVersion == 'a/v:2'"]);
});
