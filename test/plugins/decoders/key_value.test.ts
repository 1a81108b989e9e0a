import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeWith, decoder } from '../support/decode.ts';
import { startPlugin } from '../support/sandbox.ts';

describe('key_value', () => {
  test.each([
    [',', ':', 'a:1,b:x', { a: 1, b: 'x' }],
    [',', ':', ' a : 1 , b : x y ,', { a: 1, b: 'x y' }],
    [',', ':', 'a: "x, y" , b: 2', { a: 'x, y', b: 2 }],
    [',', ':', 'a:1,,b', { a: 1, b: true }],
    [', ', '=', 'a=1,5, b=2', { a: '1,5', b: 2 }],
    ['||', '->', 'a->1||b->x|y', { a: 1, b: 'x|y' }],
    [' ', ': ', 'a: 1 b: x:y', { a: 1, b: 'x:y' }],
    ['\t', '=', 'a=1\tb=x y\t\tc=', { a: 1, b: 'x y' }],
    [';', '=', ';;a=1;; ;b', { a: 1, b: true }],
    ['&', '=', 'a=1&b=&c=x', { a: 1, c: 'x' }],
    [' ', '=', 'level=error time=1614949679', { Severity: 3, Timestamp: '1614949679000000000' }],
  ])('%j and %j: %j', (pair_separator, kv_separator, line, expected) => {
    expect(decoder('key_value', { pair_separator, kv_separator })(line)).toEqual(expected);
  });

  test.each([
    [',', 'x y', 'no pair of a name and a value'],
    [',', 'a=1,=2', 'a value without a name'],
    [',', 'a="x" y', 'text behind a closing quote'],
    [',', 'a="x,b=1', 'a quote that does not end'],
  ])('%j refuses %j', (pair_separator, line, reason) => {
    expect(decoder('key_value', { pair_separator })(line)).toBe(`refused: ${reason}`);
  });

  test('separators must be there', () => {
    expect(() => startPlugin('decoders/key_value.ts', { pair_separator: '' })).toThrow('must not be empty');
  });
});

test('nothing stops them, and they look neither before nor behind the line', () => {
  const piece = fc.oneof(fc.constantFrom('a', '=', ' ', '"', '\\', ';', 'b=1', ': '), fc.string({ maxLength: 2 }));
  const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  for (const config of [{}, { pair_separator: ';', kv_separator: ': ' }, { pair_separator: 'a"', kv_separator: ' "\n' }]) {
    const plugin = startPlugin('decoders/key_value.ts', config);
    fc.assert(
      fc.property(line, (text) => {
        expect(JSON.stringify(decodeWith(plugin, text))).not.toMatch(/^"rc |12:00:00/);
      }),
    );
  }
});
