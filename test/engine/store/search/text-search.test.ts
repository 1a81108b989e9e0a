import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextColumn } from '../../../../engine/message/batch/columns.ts';
import { compileSearch } from '../../../../engine/store/search/compile-search.ts';
import { LatinText, textHeader } from '../../../../engine/message/latin-text.ts';
import { markMatches, plainSearch, type TextSearch } from '../../../../engine/store/search/text-search.ts';

/** The lines of a text as pieces of it. */
function linesColumn(lines: readonly string[], rows: Uint32Array | null = null): TextColumn {
  const starts = new Uint32Array(lines.length);
  const ends = new Uint32Array(lines.length);
  let at = 0;
  for (const [i, line] of lines.entries()) {
    starts[i] = at;
    ends[i] = at + line.length;
    at += line.length + 1;
  }
  return { text: lines.join('\n'), starts, ends, rows };
}

/** The same text in memory, where each of its characters is a byte. */
function inMemory(column: TextColumn): TextColumn {
  if (column.constant !== undefined || /[^\0-\xff]/.test(column.text)) return column;
  return textHeader(column.rows, new LatinText(Buffer.from(column.text, 'latin1')), column.starts, column.ends);
}

function matches(columns: readonly TextColumn[], length: number, text: string, caseSensitive: boolean): boolean[] {
  const [marks, same] = [new Uint8Array(length), new Uint8Array(length)];
  markMatches(columns, length, plainSearch(text, caseSensitive), marks);
  markMatches(columns.map(inMemory), length, plainSearch(text, caseSensitive), same);
  expect(same).toEqual(marks);
  return [...marks].map(Boolean);
}

describe('plain text search', () => {
  it.each<{ title: string; lines: string[]; text: string; caseSensitive?: boolean; found: number[] }>([
    { title: 'finds a piece anywhere in a line', lines: ['abc', 'xabx', 'ba'], text: 'ab', found: [0, 1] },
    { title: 'ignores case unless told', lines: ['GET /', 'get /'], text: 'Get', found: [0, 1] },
    { title: 'minds case when told', lines: ['GET /', 'get /'], text: 'get', caseSensitive: true, found: [1] },
    { title: 'finds nothing across the end of a line', lines: ['ab', 'cd'], text: 'b\nc', found: [] },
    { title: 'finds letters outside ASCII', lines: ['GRÖSSE', 'größe', 'grosse'], text: 'größe', found: [1] },
    { title: 'is right where lower case changes the length', lines: ['İstanbul', 'istanbul', 'x'], text: 'stanbul', found: [0, 1] },
    { title: 'knows the sigma at the end of a word', lines: ['ΟΔΟΣ', 'οδός', 'ΟΔΟΣΑ'], text: 'Σ', found: [0, 1, 2] },
    { title: 'knows it at the end of what is typed', lines: ['οδος', 'ΟΔΟΣΑ', 'οδο'], text: 'ΟΔΟΣ', found: [0, 1] },
    { title: 'finds overlapping places', lines: ['aaa', 'aa', 'a'], text: 'aa', found: [0, 1] },
    { title: 'copes with empty lines', lines: ['', 'a', '', ''], text: 'a', found: [1] },
  ])('$title', ({ lines, text, caseSensitive = false, found }) => {
    const hits = matches([linesColumn(lines)], lines.length, text, caseSensitive);
    expect(hits.flatMap((hit, row) => (hit ? [row] : []))).toEqual(found);
  });

  it('needs no lower case for a text without letters, which no other character has in its own', () => {
    expect(['404', '" 5', '[ERR', '-ü', ''].map((text) => plainSearch(text, false).caseSensitive)).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    for (let code = 0x80; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const lower = String.fromCodePoint(code).toLowerCase();
      if (/[ -@[-`{-~]/.test(lower)) expect.fail(`U+${code.toString(16)} becomes ${lower}`);
    }
  });

  it('agrees with a search line by line', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', 'İ', 'ß', '4', '-', ' '), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line), line, fc.boolean(), (lines, text, caseSensitive) => {
        const fold = (value: string) => (caseSensitive ? value : value.toLowerCase());
        const expected = lines.map((value) => fold(value).includes(fold(text)));
        expect(matches([linesColumn(lines)], lines.length, text, caseSensitive)).toEqual(expected);
      }),
    );
  });

  it('takes the first column that has a text for the row', () => {
    const raw = linesColumn(['raw hit', 'raw'], new Uint32Array([0, 2]));
    const payload = linesColumn(['p', 'p hit', 'p hit', 'p']);
    expect(matches([raw, payload], 4, 'hit', true)).toEqual([true, true, false, false]);
    expect(matches([raw, { constant: 'a hit' }], 4, 'hit', true)).toEqual([true, true, false, true]);
  });
});

describe('an expression as a whole word', () => {
  it.each<{ text: string; regex: string; found: boolean; caseSensitive?: boolean }>([
    { text: 'das ist über', regex: 'über', found: true },
    { text: 'ÜBER das', regex: 'ü\\w+', found: true },
    { text: 'ÜBER das', regex: 'ü\\w+', caseSensitive: true, found: false },
    { text: 'gegenüber', regex: 'über', found: false },
    { text: 'café', regex: 'caf', found: false },
    { text: 'éa', regex: 'a', found: false },
    { text: 'ошибка: файл', regex: 'файл|диск', found: true },
    { text: 'ошибка: файлы', regex: 'файл|диск', found: false },
    { text: 'GET /api/users', regex: '/api/\\w+', found: true },
    { text: '[error] x', regex: '\\[error\\]', found: true },
    { text: 'x[error]y', regex: '\\[error\\]', found: true },
    { text: 'x é [error]', regex: '\\[error\\]', found: true },
    { text: 'a concat b', regex: 'cat|con', found: false },
    { text: 'one\ntwo', regex: '(?m)^two$', found: true },
    { text: 'one', regex: '^one$', found: true },
  ])('$regex in $text: $found', ({ text, regex, caseSensitive = false, found }) => {
    const search = compileSearch({ text: regex, regex: true, word: true, caseSensitive });
    const marks = new Uint8Array(1);
    markMatches([inMemory(linesColumn([text]))], 1, search as TextSearch, marks);
    expect(marks[0] === 1).toBe(found);
    expect(search?.test(`-${text}-`, 1, text.length + 1)).toBe(found);
  });
});
