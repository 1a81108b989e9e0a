import { describe, expect, it } from 'vitest';
import { hitsOf, ruleOf } from './records.ts';

describe('a condition', () => {
  it.each([
    ['a and b', '111', '11'],
    ['a or b and c', '100', '1'],
    ['(a or b) and c', '100', ''],
    ['not a', '011', '1'],
    ['not (a and b)', '110', ''],
    ['1 of them', '001', '1'],
    ['all of them', '110', ''],
    ['1 of a* and not c', '100', '1'],
    ['all of *', '111', '1'],
    ['any of them', '000', ''],
  ])('%s', (condition, bits, expected) => {
    const searches = ['a', 'b', 'c'].map((name) => `${name}:\n    ${name}: 1\n`).join('');
    const fields = { marker: 1, ...Object.fromEntries([...bits].map((bit, i) => ['abc'[i] as string, Number(bit)])) };
    expect(hitsOf(ruleOf(`${searches}_key:\n    marker: 1\ncondition: _key and (${condition})`), [{ fields }]).length > 0).toBe(
      expected !== '',
    );
  });

  it('has conditions in a list, and keywords for whole records', () => {
    expect(hitsOf(ruleOf('x:\n    a: 1\ny:\n    b: 1\ncondition: [x, y]'), [{ fields: { b: 1 } }])).toEqual(['0 A rule']);
    const keywords = ruleOf("keywords:\n    - 'evil'\n    - 'worse*thing'\ncondition: keywords");
    expect(hitsOf(keywords, [{ payload: 'an Evil' }, { fields: { a: 'worse than a thing' } }, { payload: 'good' }])).toEqual([
      '0 A rule',
      '1 A rule',
    ]);
    const all = ruleOf("keywords:\n    '|all':\n        - 'a1'\n        - 'b2'\ncondition: keywords");
    expect(hitsOf(all, [{ payload: 'a1 b2' }, { payload: 'a1', fields: { x: 'b2' } }, { payload: 'a1' }])).toEqual([
      '0 A rule',
      '1 A rule',
    ]);
  });
});
