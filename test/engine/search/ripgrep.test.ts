import { describe, expect, it } from 'vitest';
import { patternWords } from '../../../engine/search/ripgrep.ts';

describe('patternWords', () => {
  it.each([
    [
      'a group around the pattern',
      'a)',
      'rg: regex parse error:\n    (?:a))\n         ^\nerror: no',
      'regex parse error:\n    a)\n      ^\nerror: no',
    ],
    ['a mark at that group', 'a(', 'rg: regex parse error:\n    (?:a()\n    ^\nerror: no', 'regex parse error:\n    a(\nerror: no'],
    ['no group around it', 'a(', 'rg: regex parse error:\n    a(\n     ^\nerror: no', 'regex parse error:\n    a(\n     ^\nerror: no'],
    ['options that there are not', '(?=a)', 'error: no\n\nConsider enabling PCRE2 with the --pcre2 flag, which\ndoes it.', 'error: no'],
  ])('%s', (_what, pattern, complaint, words) => expect(patternWords(complaint, pattern)).toBe(words));
});
