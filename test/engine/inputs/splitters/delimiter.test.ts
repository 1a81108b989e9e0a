import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../engine/inputs/notices.ts';
import { parseSplit } from '../../../../engine/inputs/splitters/index.ts';
import { compileDelimiter } from '../../../../engine/inputs/splitters/delimiter.ts';
import { workMs } from '../../../growth.ts';
import { regex, splitChunks } from './fixtures.ts';

describe('parseSplit', () => {
  it.each([
    ['line', { kind: 'line' }],
    ['none', { kind: 'none' }],
    ['regex:\\n(?=x)', { kind: 'regex', pattern: '\\n(?=x)' }],
  ])('%s', (text, options) => expect(parseSplit(text)).toEqual(options));

  it.each(['', 'regex:', 'lines'])('refuses %j', (text) => expect(() => parseSplit(text)).toThrow(InputError));

  it.each(['(', '(a)(b)', 'x*', '\\n(?=x)'])('a delimiter cannot be %s', (pattern) => {
    expect(() => compileDelimiter(pattern)).toThrow(expect.objectContaining({ code: 'split.bad' }));
  });

  it('no delimiter stalls on any text', () => {
    const data = 'a'.repeat(200_000);
    for (const pattern of ['(?:a+)+b', 'a+b', '(?:a|aa)+c', '(?:a?a?a?a?a?a?a?a?)a+b']) {
      expect(workMs(() => expect(splitChunks(regex(pattern), [data])).toEqual([data]))).toBeLessThan(5000);
    }
  });
});
