import { describe, expect, it } from 'vitest';
import { linePattern } from '../../../plugins/lnav/patterns.ts';

/** As far as this test goes, RE2 has no looking ahead. */
const isRe2 = (expression: string): boolean => !/\(\?[=!<]/.test(expression);

describe('linePattern', () => {
  it('is an expression of JavaScript with the same groups', () => {
    const { source, names } = linePattern(String.raw`^(?<timestamp>\d+) (?:a|(b)) (?<body>.*)$`, 'timestamp', isRe2);
    expect(names).toEqual(['timestamp', 'body']);
    expect({ ...new RegExp(source).exec('12 a x y')?.groups }).toEqual({ timestamp: '12', body: 'x y' });
  });

  it('has a form for recognition without groups', () => {
    const { look, before } = linePattern(String.raw`^\[(?<timestamp>\d{4}[-/]\d\d)\] (?<body>.*)$`, 'timestamp', isRe2);
    expect(look).not.toMatch(/\(\?<|\((?!\?)/);
    expect('[2021-03] words').toMatch(new RegExp(look ?? '$^'));
    expect(before).not.toMatch(/^\^/);
    expect(new RegExp(`^${before}`).exec('[2021-03] words')?.[0]).toBe('[2021-03');
  });

  it.each<[pattern: string, hasBeginning: boolean]>([
    [String.raw`^(?<timestamp>\d+) x`, true],
    [String.raw`^(?<level>\w) (?<timestamp>\d+) x`, true],
    [String.raw`^(?:(?<timestamp>\d+) )?x`, false],
    [String.raw`^x|(?<timestamp>\d+)`, false],
    ['^words', false],
  ])('%s begins with its time: %s', (pattern, hasBeginning) => {
    expect(linePattern(pattern, 'timestamp', isRe2).before !== null).toBe(hasBeginning);
  });

  it('has no form for recognition that RE2 does not know', () => {
    expect(linePattern('^(?<timestamp>a)(?=b)', 'timestamp', () => false)).toMatchObject({
      look: null,
      before: null,
      names: ['timestamp'],
    });
  });
});
