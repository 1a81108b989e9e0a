import { describe, expect, it } from 'vitest';
import { fits, fragmentOf, parseText, plainText, unescaped, type Place } from '../../../engine/rules/text-pattern.ts';

const fitsText = (value: string, text: string, place: Place = 'equals', more = {}): boolean =>
  fits(parseText(value, { place, cased: false, anyDash: false, ...more }), text);

describe('a value of a rule', () => {
  it.each([
    ['abc', 'equals', 'ABC', true],
    ['abc', 'equals', 'abcd', false],
    ['', 'equals', '', true],
    ['', 'equals', 'a', false],
    ['*', 'equals', '', true],
    ['*', 'equals', 'x', true],
    ['a*c', 'equals', 'abbc', true],
    ['a*c', 'equals', 'abcd', false],
    ['a*', 'equals', 'abc', true],
    ['*a*b*', 'equals', 'xbxaxbx', true],
    ['*a*b*', 'equals', 'xbxa', false],
    ['prog?.exe', 'equals', 'progA.exe', true],
    ['prog?.exe', 'equals', 'prog.exe', false],
    ['ab*ab', 'equals', 'ab', false],
    ['b', 'contains', 'abc', true],
    ['a*c', 'contains', 'xabcx', true],
    ['ab', 'startsWith', 'ABC', true],
    ['ab', 'startsWith', 'cab', false],
    ['bc', 'endsWith', 'abc', true],
    ['bc', 'endsWith', 'bca', false],
    [String.raw`\*x`, 'equals', '*x', true],
    [String.raw`\*x`, 'equals', 'ax', false],
    [String.raw`\\*`, 'equals', String.raw`\abc`, true],
    [String.raw`\\\*`, 'equals', String.raw`\*`, true],
    [String.raw`C:\Windows`, 'equals', String.raw`c:\windows`, true],
    [String.raw`\cmd.exe`, 'endsWith', String.raw`C:\CMD.EXE`, true],
    ['ÄÖ', 'contains', 'xäöx', true],
  ] as const)('%s (%s) on %s: %s', (value, place, text, expected) => {
    expect(fitsText(value, text, place)).toBe(expected);
  });

  it('minds the case when it is asked to, and takes any dash where a flag begins', () => {
    expect(fitsText('abc', 'ABC', 'equals', { cased: true })).toBe(false);
    const dashed = { anyDash: true };
    for (const text of ['x -f y', 'x /f y', 'x –f y']) expect(fitsText(' -f', text, 'contains', dashed)).toBe(true);
    expect(fitsText('a-b', 'a/b', 'contains', dashed)).toBe(false);
    expect(unescaped(String.raw`a\*b*`)).toBe('a*b');
  });

  it('has a text that each fitting text has, and takes no long time', () => {
    expect(fragmentOf(parseText('*abc*def?', { place: 'equals', cased: false, anyDash: false }))).toEqual({ text: 'abc', isWhole: false });
    expect(fragmentOf(plainText('Ab c', 'contains', false))).toEqual({ text: 'ab c', isWhole: true });
    expect(fragmentOf(plainText('Ab', 'contains', true))?.isWhole).toBe(false);
    const hostile = parseText(`${'*a'.repeat(2000)}*b`, { place: 'equals', cased: false, anyDash: false });
    expect(fits(hostile, 'a'.repeat(20_000))).toBe(false);
  });
});
