import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { behindBlanks, behindValue } from '../../../../engine/cli/view/json-text.ts';

/** Whether all of a text is one value. */
function isValue(text: string): boolean {
  const bytes = Buffer.from(` ${text} `, 'latin1').subarray(1);
  const end = bytes.length - 1;
  const begin = behindBlanks(bytes, 0);
  const behind = begin < end ? behindValue(bytes, begin, end) : -1;
  return behind >= 0 && behindBlanks(bytes, behind) >= end;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('behindValue', () => {
  it.each([
    ...['{"a":[1,-0.5e+3,true,null,"x\\u00e9\\n"],"b":{}}', '[]', ' 0 ', '"\\\\"', '{"a" : 1 , "b":[ ]}', '-0', '1E5', 'false'],
    ...[
      '',
      '{',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '[1,]',
      '01',
      '-',
      '1.',
      '.5',
      '1e',
      '+1',
      'tru',
      'nul',
      "'a'",
      '{a:1}',
      '{} {}',
      '"',
      '"\\',
    ],
    ...['"\\x"', '"\\u12g4"', '"\\u12"', '"a\nb"', '"\t"', '{"a":1 "b":2}', '[1 2]', '{1:2}', 'NaN', '"a"b', '[', '[1', '{"a":1'],
  ])('judges %j as a parser does', (text) => expect(isValue(text)).toBe(parses(text)));

  it('judges damaged texts as a parser does', () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 2 }),
      put: fc.constantFrom('', '"', '\\', '{', '}', ',', ':', '0', 'e', ' ', '\u0001', '\u00e9'),
    });
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), damage, (json, { at, cut, put }) => {
        const whole = json.replace(/[^\0-\xff]/g, '?');
        const place = at % (whole.length + 1);
        const text = whole.slice(0, place) + put + whole.slice(place + cut);
        expect(isValue(text)).toBe(parses(text));
      }),
      { numRuns: 2000 },
    );
  });
});
