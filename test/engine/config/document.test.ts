import { describe, expect, it } from 'vitest';
import { isTable, mergeDocuments, parseDocument, unreadDocument, valueAt, type ConfigDocument } from '../../../engine/config/document.ts';

const TEXT = `[a]
x = 1
b.c = """%ENV[NAME]"""
# %ENV[HIDDEN]

[[tests]]
in = { p = 1 }
[[tests]]
in = 2
`;
const document = (text: string, file = 'f.toml'): ConfigDocument => parseDocument(text, file, null).document;
const line = (of: ConfigDocument, ...path: PropertyKey[]): string => {
  const origin = of.origin(path);
  return origin === undefined ? 'none' : `${origin.file}:${origin.line}`;
};

describe('parseDocument', () => {
  it('knows the lines of values', () => {
    const parsed = document(TEXT);
    expect(parsed.table).toEqual({ a: { x: 1, b: { c: '%ENV[NAME]' } }, tests: [{ in: { p: 1 } }, { in: 2 }] });
    expect([
      line(parsed, 'a'),
      line(parsed, 'a', 'x'),
      line(parsed, 'a', 'b', 'c', 'further'),
      line(parsed, 'tests', 1, 'in'),
      line(parsed, 'tests', 0, 'in', 'p'),
    ]).toEqual(['f.toml:1', 'f.toml:2', 'f.toml:3', 'f.toml:9', 'f.toml:7']);
    expect([line(parsed, 'z'), line(parsed)]).toEqual(['none', 'none']);
  });

  it('puts in variables, and names those that are not set', () => {
    const { document: parsed, unset } = parseDocument(TEXT, 'f.toml', { NAME: 'two\nlines' });
    expect(valueAt(parsed.table, ['a', 'b', 'c'])).toBe('two\nlines');
    expect(line(parsed, 'tests', 1, 'in')).toBe('f.toml:9');
    expect(unset).toEqual([]);
    expect(parseDocument(TEXT, 'f.toml', {}).unset).toEqual([{ name: 'NAME', file: 'f.toml', line: 3 }]);
  });

  it('leaves out sections that are wrong', () => {
    const { document: parsed, problems, broken } = parseDocument('[a]\nx = \n[b]\ny = 1\n', 'f.toml', null);
    expect(parsed.table).toEqual({ b: { y: 1 } });
    expect(problems.map(({ file, line: at, code }) => [file, at, code])).toEqual([['f.toml', 2, 'config.syntax']]);
    expect([...broken]).toEqual(['a']);
  });

  it('refuses a file of very many sections', () => {
    const text = Array.from({ length: 10_001 }, (_, i) => `[s${i}]`).join('\n');
    const { document: parsed, problems } = parseDocument(text, 'f.toml', null);
    expect([parsed.table, problems[0]?.text]).toEqual([{}, 'has more than 10,000 sections: remove those that nobody needs']);
  });
});

describe('mergeDocuments', () => {
  const one = document('[a]\nx = 1\ny = 1\n[[tests]]\nin = 1\n', 'one');
  const two = document('[b]\n[a]\ny = 2\n[[tests]]\nin = 2\n', 'two');
  const merged = mergeDocuments([one, two]);

  it('joins tables, and appends lists of tables', () => {
    expect(merged.table).toEqual({ a: { x: 1, y: 2 }, b: {}, tests: [{ in: 1 }, { in: 2 }] });
  });

  it('keeps the places', () => {
    expect([
      line(merged, 'a'),
      line(merged, 'a', 'x'),
      line(merged, 'a', 'y'),
      line(merged, 'b'),
      line(merged, 'tests', 0, 'in'),
      line(merged, 'tests', 1, 'in'),
    ]).toEqual(['one:1', 'one:2', 'two:3', 'two:1', 'one:5', 'two:5']);
  });

  it('of none is empty', () => expect([mergeDocuments([]).table, mergeDocuments([one])]).toEqual([{}, one]));
});

it('a document that was not read has its problem alone', () => {
  const problem = { code: 'config.unreadable', file: 'f', line: 0, section: '', key: '', text: 'is missing', hint: '' } as const;
  expect(unreadDocument(problem)).toMatchObject({ document: { table: {} }, problems: [problem], unset: [] });
});

it('tables are plain objects, whose values have paths', () => {
  expect([{}, Object.create(null), [], new Date(), null, 'x'].map(isTable)).toEqual([true, true, false, false, false, false]);
  expect([valueAt({ a: [{ b: 1 }] }, ['a', 0, 'b']), valueAt({ a: 1 }, ['a', 'toFixed']), valueAt({}, ['toString'])]).toEqual([
    1,
    undefined,
    undefined,
  ]);
});
