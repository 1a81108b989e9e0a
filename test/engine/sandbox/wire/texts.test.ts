import { describe, expect, test } from 'vitest';
import { DeliveredTexts, LONG_TEXT } from '../../../../engine/sandbox/wire/texts.ts';

const long = (letter: string): string => letter.repeat(LONG_TEXT + 1);

describe('the texts that an isolate has', () => {
  test('have the numbers in which they came, short and long ones', () => {
    const delivered = new DeliveredTexts();
    const texts = ['', long('a'), 'b', long('b'), 'a'.repeat(LONG_TEXT)];
    expect(texts.map((text) => delivered.add(text))).toEqual([0, 1, 2, 3, 4]);
    expect(texts.map((text) => delivered.numberOf(text))).toEqual([0, 1, 2, 3, 4]);
    expect(delivered.all).toEqual(texts);
  });

  test('are known by what they hold, and not by which string they are', () => {
    const delivered = new DeliveredTexts();
    delivered.add(long('a'));
    delivered.add('short');
    expect(delivered.numberOf(Buffer.from(long('a')).toString())).toBe(0);
    expect(delivered.numberOf(Buffer.from('short').toString())).toBe(1);
    expect(delivered.numberOf(`${long('a').slice(1)}b`)).toBeUndefined();
    expect(delivered.numberOf('')).toBeUndefined();
  });
});
