import { describe, expect, it } from 'vitest';
import { parseTemplate, TemplateError } from '../../../../engine/message/summary/template.ts';

describe('parseTemplate', () => {
  it('reads texts, values with their forms, and parts that may be left out', () => {
    expect(parseTemplate('at \\{ {a} [{b|c.d:ms}: [x {e:error}]|{*}]')).toEqual([
      'at { ',
      { kind: 'value', names: ['a'], way: null, unit: null },
      ' ',
      {
        kind: 'choice',
        alternatives: [
          [
            { kind: 'value', names: ['b', 'c.d'], way: null, unit: 'ms' },
            ': ',
            { kind: 'choice', alternatives: [['x ', { kind: 'value', names: ['e'], way: 'error', unit: null }]] },
          ],
          [{ kind: 'rest' }],
        ],
      },
    ]);
  });

  it.each([
    ['', 'names no field: write a name in braces, such as {status}'],
    ['status', 'names no field: write a name in braces, such as {status}'],
    ['{a', 'has a { that nothing closes; write \\{ for the character itself (character 1 of it)'],
    ['{a} }', 'has a } that nothing opens; write \\} for the character itself (character 5 of it)'],
    ['{a} ]', 'has a ] that nothing opens; write \\] for the character itself (character 5 of it)'],
    ['{a} [{b}', 'has a [ that nothing closes; write \\[ for the character itself (character 5 of it)'],
    ['{a} [b]', 'names no field in brackets, so nothing says when that part is left out (character 6 of it)'],
    ['{a} {}', 'has no name of a field in {}; write {name} or {name|other name} (character 5 of it)'],
    ['{a||b}', 'has no name of a field in {a||b}; write {name} or {name|other name} (character 1 of it)'],
    ['{a:requst}', 'has the unknown form requst; did you mean request?; known are'],
    ['{a} \\n', 'has a \\ before no bracket, brace, bar or backslash; write \\\\ for one (character 6 of it)'],
    [`${'[{a}'.repeat(9)}${']'.repeat(9)}`, 'has brackets that are nested too deeply (character 33 of it)'],
    ['x'.repeat(2001), 'is longer than 2000 characters'],
  ])('says of %s: %s', (text, why) => {
    expect(() => parseTemplate(text)).toThrow(TemplateError);
    expect(() => parseTemplate(text)).toThrow(why);
  });
});
