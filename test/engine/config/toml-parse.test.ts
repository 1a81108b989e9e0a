import { describe, expect, it } from 'vitest';
import { parseToml } from '../../../engine/config/toml-parse.ts';

describe('parseToml', () => {
  it.each<[text: string, table: object, broken: string[], problems: RegExp[]]>([
    ['a = 1\n[s]\nb = "x"', { a: 1, s: { b: 'x' } }, [], []],
    ['[s]\na = \n[t]\nb = 1', { t: { b: 1 } }, ['s'], [/^is not valid TOML in column \d+: /]],
    ['[s]\na = 1\na = 2\nb = 3', { s: { a: 1, b: 3 } }, [], [/: a is set already, in line 2$/]],
    ['[s]\na = 1\n[t]\n[s]\nb = 2', { t: {} }, ['s'], [/: the section \[s\] is there already, in line 1: put both together$/]],
    ['[s\na = 1\n[t]', { t: {} }, ['s'], [/: the name of the section is not closed: \[s\] is meant$/]],
    ['[s]\na = 9007199254740993\n[t]', { t: {} }, ['s'], [/^has too large an integer in column \d+: at most ±9007199254740991 is exact/]],
    ['a = \n[s]\nb = 1', { s: { b: 1 } }, [], [/^is not valid TOML/]],
    ['[s]\na = \n[s.t]\nb = 1\n[u]', { u: {} }, ['s'], [/^is not valid TOML/]],
    ['[a]\nx=\n[b]\ny=\n[c]', { c: {} }, ['a', 'b'], [/^is not/, /^is not/]],
  ])('%j', (text, table, broken, problems) => {
    const parsed = parseToml(text);
    expect(parsed.table).toEqual(table);
    expect([...parsed.broken]).toEqual(broken);
    expect(parsed.problems).toHaveLength(problems.length);
    for (const [i, problem] of problems.entries()) expect(parsed.problems[i]?.text).toMatch(problem);
  });

  it('says where', () => {
    const text = '[s]\n# x\na = 1\na = 2\n';
    expect(text.slice(0, parseToml(text).problems[0]?.offset).split('\n')).toHaveLength(4);
  });

  it('gives up after some errors', () => {
    const text = Array.from({ length: 40 }, (_, i) => `[s${i}]\nx = \n`).join('');
    const { table, problems } = parseToml(text);
    expect([table, problems.length]).toEqual([{}, 20]);
  });
});
