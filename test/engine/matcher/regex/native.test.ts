import { describe, expect, it } from 'vitest';
import { nativeRegExp } from '../../../../engine/matcher/regex/native.ts';
import { parseRegex } from '../../../../engine/matcher/regex/parse.ts';
import type { Regex } from '../../../../engine/matcher/regex/syntax.ts';

const nativeOf = (source: string): { source: string; maxLength: number } | null => {
  const native = nativeRegExp(parseRegex(source) as Regex);
  return native === null ? null : { source: native.regExp.source, maxLength: native.maxLength };
};

describe('nativeRegExp', () => {
  it.each<[source: string, native: string]>([
    ['abc', 'abc'],
    ['a|b.', '(?:a|b[\\u{0}-\\u{9}\\u{b}-\\u{10ffff}])'],
    ['[a-c_]$', '[\\u{5f}a-c]$'],
    ['(?m)^a$', '(?<![^\\n])a(?![^\\n])'],
    ['\\ba\\B', '\\ba\\B'],
    ['^a{2,3}b', '^(?:a){2,3}b'],
    ['[^a]$', '[\\u{0}-\\u{60}b-\\u{10ffff}](?![^])'],
  ])('%s of any length is %s', (source, native) => expect(nativeOf(source)).toEqual({ source: native, maxLength: Infinity }));

  it.each<[source: string, maxLength: number | undefined]>([
    ['a+b', 256],
    ['a.*b', 256],
    ['a.*b.*', undefined],
    ['a[^b]{0,9}b.*c', 32],
    ['a.*b.*c.*d', undefined],
    ['(a+)+b', undefined],
    ['(?:.?){900}c', undefined],
    ['a*', undefined],
    ['\\B', undefined],
  ])('%s is for texts of %s', (source, maxLength) => expect(nativeOf(source)?.maxLength).toBe(maxLength));
});
