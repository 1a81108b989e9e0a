import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Value } from '../support/message.ts';
import { metaOf, startPlugin } from '../support/sandbox.ts';

/** Parameters that must be set beside the one at hand. */
const NEEDED: Record<string, Record<string, Value>> = {
  field_graph: { fields: 'a' },
  stat_graph: { stats: 'a', stat_labels: 'a' },
};

const start = (name: string, config: Record<string, Value>): unknown => startPlugin(`filters/${name}.ts`, { ...NEEDED[name], ...config });

const withVariable = readdirSync('plugins/filters')
  .map((file) => file.replace('.ts', ''))
  .filter((name) => 'message_variable' in (metaOf(`filters/${name}.ts`).parameters ?? {}));

test('there are filters with a message_variable', () => {
  expect(withVariable).toContain('unique_items');
});

describe.each(withVariable)('%s', (name) => {
  test.each(['Feilds[x]', 'fields[x]', 'Fields[x', 'Fields[]', 'Fields', 'hostname', 'x', ' Type', 'Fields[x] '])(
    'refuses the variable %j',
    (variable) => {
      expect(() => start(name, { message_variable: variable })).toThrow(
        `message_variable is not a variable of a message: ${JSON.stringify(variable)}`,
      );
    },
  );

  test.each([
    'Fields[x]',
    'Fields[a[0]]',
    'Fields[a b]',
    'Hostname',
    'Payload',
    'Uuid',
    'Timestamp',
    'Severity',
    'Pid',
    'EnvVersion',
    'Logger',
    'Type',
  ])('takes the variable %j', (variable) => {
    expect(() => start(name, { message_variable: variable })).not.toThrow();
  });
});

test.each([
  ['http_status', { status_field: 'Fields[status]' }, 'status_field: write status, not Fields[status]: it names fields'],
  ['http_status', { status_field: '' }, 'status_field names no field'],
  ['field_graph', { fields: 'a Fields[b]' }, 'fields: write b, not Fields[b]: it names fields'],
  ['stat_graph', { stats: 'Fields[b]' }, 'stats: write b, not Fields[b]: it names fields'],
])('%s refuses %j', (name, config, message) => {
  expect(() => start(name, config)).toThrow(message);
});
