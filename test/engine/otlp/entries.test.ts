import { describe, expect, it } from 'vitest';
import { jsonEntries, protobufEntries, SHAPES, type Entry } from '../../../engine/otlp/entries.ts';
import { request } from './fixtures.ts';

const { logs } = SHAPES;

/** Origins and bodies of all records. */
const shown = (entries: Iterable<Entry>): unknown[] =>
  Array.from(entries, ({ origin: { head, fields }, items }) => [
    head.Logger ?? '',
    fields.map(({ name, values }) => `${name}=${String(values[0])}`).join(' '),
    Array.from(items, (item) => (item?.['body'] as { stringValue: string } | undefined)?.stringValue ?? null),
  ]);

const REQUEST = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'a', value: { stringValue: 'b' } }] },
      schemaUrl: 'r',
      scopeLogs: [
        { scope: { name: 's1' }, schemaUrl: 'u', logRecords: [{ body: { stringValue: 'x' } }, { body: { stringValue: 'y' } }] },
        { logRecords: [] },
      ],
    },
    { scopeLogs: [{ logRecords: [{ body: { stringValue: 'z' } }] }] },
  ],
};
const EXPECTED = [
  ['s1', 'scope.schema_url=u resource.a=b resource.schema_url=r', ['x', 'y']],
  ['', 'resource.a=b resource.schema_url=r', []],
  ['', '', ['z']],
];

describe('the parts of a request', () => {
  it('are the same in both forms', () => {
    expect(shown(jsonEntries(JSON.stringify(REQUEST), logs))).toEqual(EXPECTED);
    expect(shown(protobufEntries(request.encode(REQUEST), logs))).toEqual(EXPECTED);
  });

  it('may have the names of older collectors in JSON', () => {
    const text = '{"resourceLogs":[{"instrumentationLibraryLogs":[{"instrumentationLibrary":{"name":"l"},"logs":[{}]}]}]}';
    expect(shown(jsonEntries(text, logs))).toEqual([['l', '', [null]]]);
  });

  it('leave out a record that is too large to be read', () => {
    const large = {
      resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x'.repeat(1 << 20) } }, { body: { stringValue: 'y' } }] }] }],
    };
    expect(shown(protobufEntries(request.encode(large), logs))).toEqual([['', '', [null, 'y']]]);
  });

  it('are none of a resource that is too large', () => {
    const large = { resourceLogs: [{ resource: { attributes: [{ key: 'x'.repeat(1 << 20), value: {} }] }, scopeLogs: [] }] };
    expect(() => shown(protobufEntries(request.encode(large), logs))).toThrow('a resource or scope of');
  });
});

it.each(['', '[]', '7', '{"resourceLogs":{}}', '{"resourceLogs":[7]}', '{"resourceLogs":[{"scopeLogs":[{"logRecords":[null]}]}]}'])(
  '%j is no request',
  (text) => expect(() => shown(jsonEntries(text, logs))).toThrow(),
);
