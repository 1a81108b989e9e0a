import { readFileSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deepPlace } from '../../../../engine/base/text/nesting.ts';

describe('the place that is nested too deeply', () => {
  it.each<[string, string, string | null]>([
    ['at most so deep', 'f([{}])', null],
    ['deeper', 'f([\n  {a: ({})}])', '2:7'],
    ['brackets in strings', `'((((' + "[[[[\\"{{{{"`, null],
    ['an apostrophe in a comment', `// don't ((((\n/* it's ([{( */ f(([(`, '2:21'],
    ['a comment without an end', '/* ((((', null],
    ['templates', '`((((${ a(`${ b }{{{{`) }[[[[`', null],
    ['brackets in a template', '`${[([b])]}`', '1:6'],
    ['a template without an end', '`((((', null],
    ['regular expressions', String.raw`x = /\(\(\(\(/; y.match(/[/((((]/); return /{{{{/`, null],
    ['divisions', 'a / (b) / [(({c})', '1:14'],
    ['more brackets closed than opened', '))))((()))', null],
    ['lines of all kinds', '(\r\n(\r(\u2028 (', '4:2'],
  ])('%s', (_what, text, place) => {
    const found = deepPlace(text, 3);
    expect(found === null ? null : `${found.line}:${found.column}`).toBe(place);
  });

  it('is in none of our own sources', () => {
    for (const path of globSync('{engine,plugins}/**/*.ts')) expect(deepPlace(readFileSync(path, 'utf8'), 40), path).toBeNull();
  });

  it('is found in a time that grows with the text', () => {
    for (const part of ['=/[', "'", '/*', '`', '=/=', '"\\']) expect(deepPlace(part.repeat(1 << 19), 200), part).toBeNull();
  });
});
