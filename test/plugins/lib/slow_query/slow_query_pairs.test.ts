import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairLineReader } from '../../../../plugins/lib/slow_query/slow_query_pairs.ts';

test('reads any line of pairs back', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z_0-9]{0,9}$/);
  const value = fc.stringMatching(/^[A-Za-z0-9.:-]{0,9}$/).filter((text) => !text.endsWith(':'));
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 8 }), (pairs) => {
      const line = pairs.map(([key, text]) => `${key}: ${text}`).join('  ');
      const reader = new PairLineReader();
      const read: [string, string][] = [];
      reader.begin(`x: y${line}z: y`, 4, 4 + line.length);
      while (reader.next()) read.push([reader.name, reader.value]);
      expect(read).toEqual(pairs);
    }),
  );
});
