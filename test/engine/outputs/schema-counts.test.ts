import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { SchemaCounts, type CountedLogger } from '../../../engine/outputs/schema-counts.ts';
import { text, number, message, counted } from './schema-fixtures.ts';

/** `logger|type|version|field type` → how often. */
function flat(loggers: readonly CountedLogger[]): Record<string, number> {
  const entries = loggers.flatMap((logger) =>
    logger.children.flatMap((type) =>
      type.children.flatMap((version): [string, number][] => {
        const path = `${logger.name}|${type.name}|${version.name}`;
        return [
          [path, version.count],
          ...version.children.map((field): [string, number] => [`${path}|${field.name} ${field.type}`, field.count]),
        ];
      }),
    ),
  );
  return Object.fromEntries(entries);
}

describe('SchemaCounts', () => {
  test.each([
    ['no messages', [], {}],
    ['messages without headers', [message('', '', '', text('a', 'x'))], { '||': 1, '|||a string': 1 }],
    ['messages of one kind', [message('l', 't', ''), message('l', 't', '', text('a', 'x'))], { 'l|t|': 2, 'l|t||a string': 1 }],
    ['several kinds', [message('l', 't', '1', number('n')), message('l', 'u', '2')], { 'l|t|1': 1, 'l|t|1|n number': 1, 'l|u|2': 1 }],
    ['a field of two types', [message('', '', '', text('a', 'x')), message('', '', '', number('a'))], { '||': 2, '|||a mismatch': 2 }],
    ['a field twice in a message', [message('', '', '', text('a', 'x'), text('a', 'y'))], { '||': 1, '|||a string': 2 }],
    [
      'bytes and integers',
      [message('', '', '', { name: 'b', valueType: 1, values: [new Uint8Array(1)] }, { name: 'i', valueType: 2, values: [1n] })],
      { '||': 1, '|||b string': 1, '|||i number': 1 },
    ],
  ])('counts %s', (_what, messages, expected) => expect(flat(counted(messages))).toEqual(expected));

  it('counts the same however messages are cut into batches', () => {
    const few = fc.constantFrom('', 'a', 'b');
    const field = fc.oneof(
      few.map((name) => text(name, 'x')),
      few.map(number),
    );
    const messages = fc.array(
      fc.tuple(few, few, few, fc.array(field, { maxLength: 4 })).map(([l, t, v, fields]) => message(l, t, v, ...fields)),
    );
    fc.assert(
      fc.property(messages, fc.nat(20), (all, at) => {
        const one = flat(counted(...all.map((single) => [single])));
        expect(flat(counted(all))).toEqual(one);
        expect(flat(counted(all.slice(0, at), all.slice(at)))).toEqual(one);
      }),
    );
  });

  it('adds up levels', () => {
    const [logger] = counted([message('l', 't', '1'), message('l', 't', '2'), message('l', 'u', '')]);
    expect(logger).toMatchObject({
      name: 'l',
      count: 3,
      children: [
        { name: 't', count: 2 },
        { name: 'u', count: 1 },
      ],
    });
  });

  it('stops telling names apart when there are too many', () => {
    const counts = new SchemaCounts();
    const names = Array.from({ length: 12_000 }, (_, i) => message('l', `type ${i}`, ''));
    for (let i = 0; i < names.length; i += 1000) counts.observe(batchOf(names.slice(i, i + 1000)));
    expect(counts.loggers()[0]?.children).toHaveLength(10_000);
  });
});
