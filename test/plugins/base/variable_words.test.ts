import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskWord } from '../../../plugins/base/variable_words.ts';

describe('words without a mark', () => {
  it.each<[word: string, masked: string]>([
    ['12', '<num>'],
    ['-1.5', '<num>'],
    ['1,234.5', '<num>'],
    ['15ms', '<num>ms'],
    ['15µs', '<num>µs'],
    ['80%', '<num>%'],
    ['15mins', '15mins'],
    ['x12', 'x12'],
    ['a=7', 'a=<num>'],
    ['[7]', '[<num>]'],
    ['v1.2', 'v1.2'],
    ['1.2.3.4', '<ip>'],
    ['(10.0.0.1)', '(<ip>)'],
    ['1.2.3.4567', '<num>'],
    ['Firefox/130.0.0.0', 'Firefox/<num>'],
    ['outside/192.0.2.1', 'outside/<ip>'],
    ['//10.0.0.0', '//<ip>'],
    ['1.2.3.4.5', '<num>'],
    ['0x1f', '<hex>'],
    ['0x', '<num>x'],
    ['deadbeef01', '<hex>'],
    ['deadbeef', 'deadbeef'],
    ['12345678', '<num>'],
    ['a_1', 'a_1'],
  ])('%s is %s', (word, masked) => expect(maskWord(word, false)).toBe(masked));
});

describe('words with a mark', () => {
  it.each<[word: string, masked: string]>([
    ['13:07:59', '<time>'],
    ['2021-03-05T13:07:59.250Z', '<time>'],
    ['05/Mar/2021:13:07:59', '<time>'],
    ['00:1b:44:11:3a:b7', '<mac>'],
    ['2001:db8::7', '<ip>'],
    ['fe80::1', '<ip>'],
    ['3f06af63-a93c-11e4-9797-00505690773f', '<uuid>'],
    ['192.0.2.1:80', '<ip>:<num>'],
    ['id:12', 'id:<num>'],
    ['Chrome/130.0.0.0', 'Chrome/<num>'],
    ['Edge/1.2.0.0:80', 'Edge/<num>:<num>'],
    ['inside/192.0.2.1:80', 'inside/<ip>:<num>'],
  ])('%s is %s', (word, masked) => expect(maskWord(word, true)).toBe(masked));
});

it('a word that has only numbers and addresses is masked alike in both ways', () => {
  const character = fc.constantFrom(...'0123456789abcdefxXgz/_+.,%=[]µ');
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 24 }), (word) => {
      expect(maskWord(word, false)).toBe(maskWord(word, true));
    }),
    { numRuns: 2000 },
  );
});
