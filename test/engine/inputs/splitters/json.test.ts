import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, JSON_VALUES, splitChunks } from './fixtures.ts';

describe('objects of JSON', () => {
  const object = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 });
  const indent = fc.constantFrom(undefined, 1, 2, 4, '\t');
  const sizes = fc.array(fc.nat(30));

  it('are found one behind the other, whatever the chunks are', () => {
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 6 }),
        indent,
        fc.constantFrom('', '\n', '\r\n', ', '),
        sizes,
        (objects, space, between, parts) => {
          const texts = objects.map((one) => JSON.stringify(one, null, space));
          expect(splitChunks(JSON_VALUES, chunksOf(texts.join(between), parts))).toEqual(texts);
        },
      ),
    );
  });

  it('are found in a list and in an export', () => {
    fc.assert(
      fc.property(fc.array(object, { minLength: 1, maxLength: 6 }), indent, fc.boolean(), sizes, (objects, space, isExport, parts) => {
        const text = JSON.stringify(isExport ? { records: objects } : objects, null, space);
        const found = splitChunks(JSON_VALUES, chunksOf(text, parts));
        expect(found.map((record) => JSON.parse(record) as unknown)).toEqual(objects);
        for (const record of found) expect(text).toContain(record);
      }),
    );
  });

  it('lose nothing of what is none', () => {
    const anything = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ',', '\n', ' '), maxLength: 60 });
    const plain = (text: string): string => text.replaceAll(/[\s,[\]{}]/g, '');
    fc.assert(
      fc.property(anything, sizes, (text, parts) => {
        const records = splitChunks(JSON_VALUES, [text]);
        expect(plain(records.join(''))).toBe(plain(text));
        expect(plain(splitChunks(JSON_VALUES, chunksOf(text, parts)).join(''))).toBe(plain(text));
      }),
    );
  });

  it('that are too long are cut, and the next one is found', () => {
    const long = JSON.stringify({ a: 'x'.repeat(2 << 20) }, null, 2);
    const records = splitChunks(JSON_VALUES, [`${long}\n{"b":1}\n`]);
    expect(records.map(({ length }) => length)).toEqual([1 << 20, 7]);
  });
});
