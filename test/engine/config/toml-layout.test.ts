import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf, type Statement } from '../../../engine/config/toml-layout.ts';

/** Paths, and the texts of values. */
const shown = (text: string): string[] =>
  layoutOf(text).map((statement) =>
    statement.kind === 'header'
      ? `[${statement.path.join('/')}]`
      : `${statement.path.join('/')}=${text.slice(statement.valueStart, statement.valueEnd)}`,
  );

describe('layoutOf', () => {
  it.each<[text: string, statements: string[]]>([
    ['', []],
    ['# only a comment', []],
    ['a = 1', ['a=1']],
    ['a = 1 # one\nb = 2021-03-05 13:07:59', ['a=1', 'b=2021-03-05 13:07:59']],
    ['[s]\na.b = 1\n[s.t]\nc = true', ['[s]', 's/a/b=1', '[s/t]', 's/t/c=true']],
    ['[[t]]\na=1\n[[t]]\n[t.u]\na=2', ['[t/0]', 't/0/a=1', '[t/1]', '[t/1/u]', 't/1/u/a=2']],
    [`["a b".'c"d']\n"\\u00e9\\t" = 'x#y'`, ['[a b/c"d]', `a b/c"d/é\t='x#y'`]],
    ['a = """x\n"""" # no\nb = 1', ['a="""x\n""""', 'b=1']],
    ["a = '''it''s'''\nb = 1", ["a='''it''s'''", 'b=1']],
    ['a = [1, # one\n "]", [2]]\nb = 1', ['a=[1, # one\n "]", [2]]', 'b=1']],
    ['a = %ENV[X]\nb = 1', ['a=%ENV[X]', 'b=1']],
  ])('%j', (text, statements) => expect(shown(text)).toEqual(statements));

  it('has the keys in inline tables', () => {
    const [pair] = layoutOf('a = { b = 1, c.d = [{ e = 2 }] }') as [Extract<Statement, { kind: 'pair' }>];
    expect(pair.inner.map(({ path, start }) => [path.join('/'), start])).toEqual([
      ['a/b', 6],
      ['a/c/d', 13],
      ['a/c/d/0/e', 22],
    ]);
  });

  it('ends statements behind their lines', () => {
    const text = '[s] # x\n\na = 1\nb = 2';
    expect(layoutOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(['[s] # x\n', 'a = 1\n', 'b = 2']);
  });

  it('goes through any text', () => {
    const piece = fc.constantFrom('[', ']', '[[', '{', '}', '=', '"', "'", '"""', '\n', '#', ',', '.', 'a', '1', ' ', '\\');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        let at = 0;
        for (const { start, end } of layoutOf(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          at = end;
        }
        expect(at).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });
});
