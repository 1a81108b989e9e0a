import { expect, test } from 'vitest';
import { plainMessage, type Value } from '../support/message.ts';
import { startPlugin } from '../support/sandbox.ts';

type Fields = NonNullable<InjectMessage['Fields']>;

test.each<[title: string, config: Record<string, Value>, fields: Fields, lines: string[] | number]>([
  ['names without a prefix', {}, { 'a b': 1, 'c/d.e': 2.5, é: 3 }, ['a_b 1', 'c_d_e 2.5', '_ 3']],
  ['no delimiter without a prefix', { name_prefix_delimiter: '/' }, { a: 1 }, ['a 1']],
  ['another delimiter', { name_prefix: '%{Type}', name_prefix_delimiter: '-' }, { a: 1 }, ['T-a 1']],
  ['what is not a place stays', { name_prefix: 'x.%{nope}' }, { a: 1 }, ['x.%{nope}.a 1']],
  [
    'only numbers of digits and points',
    {},
    { a: -1, b: 1e21, c: 1e-7, d: NaN, e: Infinity, f: '5', g: true, h: 0, i: 0.1 },
    ['h 0', 'i 0.1'],
  ],
  [
    'arrays and repeated fields',
    {},
    [
      { name: 'a', value: [1, 2] },
      { name: 'a', value: [3, -4] },
    ],
    ['a 1', 'a_vidx_1 2', 'a_fidx_1 3'],
  ],
  ['fields that are skipped', { skip_fields: 'b  c' }, { a: 1, b: 2, c: 3 }, ['a 1']],
  ['one source, the last value', { name_prefix: 'p', source_value_field: 'b' }, { a: 1, b: [2, 3] }, ['p 3']],
  ['no number', {}, { a: 'x' }, -2],
  ['no field', {}, {}, -2],
])('%s', (_title, config, fields, lines) => {
  const plugin = startPlugin('encoders/schema_carbon_line.ts', config);
  const { rc, injected } = plugin.process(plainMessage({ Timestamp: 1614949679999e6, Type: 'T', Fields: fields }));
  if (typeof lines === 'number') {
    expect([rc, injected]).toEqual([lines, []]);
    return;
  }
  expect(injected.map(({ Payload }) => Payload)).toEqual([lines.map((line) => `${line} 1614949679\n`).join('')]);
});
