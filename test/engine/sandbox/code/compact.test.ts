import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { preludeCode } from '../../../../engine/sandbox/code/bundle.ts';
import { compactCode } from '../../../../engine/sandbox/code/compact.ts';

describe('code made compact', () => {
  it.each([
    ['/** What. */\nconst a = 1; // one\n\n\n   const b  =  a /* x */ + 2;\n', '\nconst a = 1;\nconst b = a + 2;\n'],
    ["x = '/* no comment */   // nor this';", "x = '/* no comment */   // nor this';"],
    ['x = `a  ${ b /* in it */ }  // c`;', 'x = `a  ${ b }  // c`;'],
    ['x = /\\/\\*  [/*]/g.test(y)', 'x = /\\/\\*  [/*]/g.test(y)'],
    ['let a\n/* first */ = 1\n\nreturn_(a)', 'let a\n= 1\nreturn_(a)'],
    ["x = '…' + `\u2028`", "x = '\\u2026' + `\\u2028`"],
    ["x = '😀'", "x = '\\ud83d\\ude00'"],
  ])('%j', (code, compact) => {
    expect(compactCode(code)).toBe(compact);
  });

  it('has the same literals, and ends statements where the code did', () => {
    const code =
      "(function () {\n  // one\n  const [a, b] = ['…–é', /[\\u2028…]/u]\n  let c = a\n  /* two */\n  ++c\n  return [a, b.source, b.test('…'), String(c)]\n})()";
    expect(runInNewContext(compactCode(code))).toEqual(['…–é', '[\\u2028\\u2026]', true, 'NaN']);
  });

  it('leaves of the prelude one byte for each character, and no comments', () => {
    const { text: code } = preludeCode();
    expect(code).not.toMatch(/[^\0-\xff]/);
    expect(code).not.toContain('/**');
    expect(compactCode(code)).toBe(code);
  });
});
