import { describe, expect, it } from 'vitest';
import type { RecordDetail, SchemaField, SchemaLogger } from '../../../../../engine/api/types.ts';
import { baseFacts, fieldFacts } from '../../../../../renderer/src/views/logs/record-facts.ts';
import { fieldsOf, valueTypeOf, variablesOf } from '../../../../../renderer/src/lib/schema-facts.ts';
import { schemaRows, treeMove } from '../../../../../renderer/src/views/schema/schema-rows.ts';
import { shorten } from '../../../../../renderer/src/state/value-actions.ts';
import { spokenName, variableType } from '../../../../../renderer/src/lib/variable.ts';

function field(name: string, type: SchemaField['type'], count: number, samples: string[] = []): SchemaField {
  return { name, type, representation: null, count, optional: false, samples };
}

const SCHEMA: readonly SchemaLogger[] = [
  {
    name: 'edge',
    count: 10,
    types: [
      {
        name: 'web',
        count: 10,
        versions: [{ name: '', count: 10, fields: [field('status', 'number', 10, ['200', '-1']), field('tls', 'bool', 9)] }],
      },
    ],
  },
  {
    name: '',
    count: 3,
    types: [{ name: '', count: 3, versions: [{ name: '2', count: 3, fields: [field('status', 'string', 3, ["it's"])] }] }],
  },
];

describe('facts of the schema', () => {
  it('takes the commonest of the fields of one name', () => expect(fieldsOf(SCHEMA).get('status')?.type).toBe('number'));

  it.each([
    ['number', '7', 'number'],
    ['bool', 'true', 'bool'],
    ['string', '7', 'string'],
    ['mismatch', '7', 'number'],
    ['mismatch', 'seven', 'string'],
  ] as const)('a value of a %s field, %s, is a %s', (type, value, expected) => {
    expect(valueTypeOf(field('x', type, 1), value)).toBe(expected);
  });

  it('offers fields with constants that an expression can say', () => {
    const variables = variablesOf(SCHEMA);
    expect(variables.find(({ name }) => name === 'Fields[status]')?.constants).toEqual(['200']);
    expect(variables.find(({ name }) => name === 'Fields[tls]')?.constants).toEqual(['TRUE', 'FALSE']);
    expect(variables.find(({ name }) => name === 'Type')?.constants).toEqual(["'web'", "''"]);
  });

  it.each([
    ['Fields[status]', '200', 'number', 'status'],
    ['Fields[nothing]', '200', 'string', 'nothing'],
    ['Severity', '3', 'number', 'Severity'],
    ['Hostname', 'a', 'string', 'Hostname'],
  ] as const)('%s = %s is a %s', (variable, value, type, name) => {
    expect(variableType(variable, value, fieldsOf(SCHEMA))).toBe(type);
    expect(spokenName(variable)).toBe(name);
  });
});

describe('the tree', () => {
  const rows = schemaRows(SCHEMA, new Set());
  const labels = (closed: string[]): string[] => schemaRows(SCHEMA, new Set(closed)).map(({ label }) => label);

  it('lists loggers, types, versions and fields', () => {
    expect(labels([])).toEqual(['edge', 'web', '(no version)', 'status', 'tls', '(no logger)', '(no type)', 'version 2', 'status']);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  });

  it('hides what is closed', () => expect(labels(['l:edge'])).toEqual(['edge', '(no logger)', '(no type)', 'version 2', 'status']));

  it.each([
    ['l:edge', 'next', { to: 'l:edge/t:web' }],
    ['l:edge', 'previous', { to: 'l:edge' }],
    ['l:edge', 'close', { toggle: 'l:edge' }],
    ['l:edge', 'open', { to: 'l:edge/t:web' }],
    ['l:edge/t:web/v:/f:status', 'close', { to: 'l:edge/t:web/v:' }],
    ['l:edge/t:web/v:/f:status', 'open', null],
    ['l:edge', 'last', { to: 'l:/t:/v:2/f:status' }],
    [null, 'next', { to: 'l:edge' }],
    ['l:edge', 'first', { to: 'l:edge' }],
  ] as const)('from %s, %s', (current, step, move) => expect(treeMove(rows, current, step)).toEqual(move));

  it('opens a closed line before it goes in', () => {
    expect(treeMove(schemaRows(SCHEMA, new Set(['l:edge'])), 'l:edge', 'open')).toEqual({ toggle: 'l:edge' });
  });
});

describe('facts of a record', () => {
  const record: RecordDetail = {
    id: 1,
    time: 0,
    timeNs: '5',
    severity: 3,
    source: 1,
    logger: 'edge',
    type: 'web',
    text: '',
    failure: null,
    values: [],
    uuid: 'u',
    hostname: null,
    pid: 7,
    envVersion: null,
    payload: null,
    raw: null,
    decoder: null,
    fields: [
      { name: 'tag', type: 'string', representation: null, values: ['a', 'b'] },
      { name: 'tag', type: 'string', representation: null, values: ['c'] },
      { name: 'size', type: 'integer', representation: 'B', values: ['12'] },
      { name: 'blob', type: 'bytes', representation: null, values: ['00ff'] },
    ],
  };

  it('lists the variables that are set', () => {
    expect(baseFacts(record).map(({ name, value }) => `${name}=${value}`)).toEqual([
      'Type=web',
      'Logger=edge',
      'Severity=3',
      'Pid=7',
      'Uuid=u',
      'Timestamp=5',
    ]);
  });

  it('tells instances and elements of a field apart', () => {
    expect(fieldFacts(record).map(({ name, variable, type }) => [name, variable, type])).toEqual([
      ['tag[0]', 'Fields[tag]', 'string'],
      ['tag[1]', 'Fields[tag][0][1]', 'string'],
      ['tag', 'Fields[tag][1]', 'string'],
      ['size', 'Fields[size]', 'number'],
      ['blob', null, 'string'],
    ]);
    expect(fieldFacts(record)[3]?.unit).toBe('B');
  });

  it.each([
    ['a\n b', 'a b'],
    ['', '(empty)'],
    ['x'.repeat(50), `${'x'.repeat(40)}…`],
  ])('shortens %j', (value, short) => expect(shorten(value)).toBe(short));
});
