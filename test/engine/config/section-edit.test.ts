import { describe, expect, it } from 'vitest';
import { isTable, parseDocument } from '../../../engine/config/document.ts';
import { SectionEdit } from '../../../engine/config/section-edit.ts';
import type { SectionData } from '../../../engine/config/toml-write.ts';

function edited(text: string, values: SectionData): string {
  const old = parseDocument(text, 'f', null).document.table['s'];
  if (!isTable(old)) throw new Error('no section');
  const result = new SectionEdit(text, 's', old).apply(values);
  expect(parseDocument(result, 'f', null).document.table['s']).toEqual(values);
  return result;
}

describe('SectionEdit', () => {
  it.each<[name: string, text: string, values: SectionData, result: string]>([
    ['nothing', '[s]\na = 1 # one\n', { a: 1 }, '[s]\na = 1 # one\n'],
    ['a value', '[s]\na = 1 # one\nb = 2\n', { a: 5, b: 2 }, '[s]\na = 5 # one\nb = 2\n'],
    ['a parameter less', '[s]\na = 1\nb = 2\n[t]\n', { b: 2 }, '[s]\nb = 2\n[t]\n'],
    ['a parameter more', '[s]\n  a = 1\n\n[t]\n', { a: 1, b: 'x' }, '[s]\n  a = 1\n  b = "x"\n\n[t]\n'],
    ['the first parameter', '[s]\n[t]\n', { a: 1 }, '[s]\na = 1\n[t]\n'],
    ['no end of the last line', '[s]\na = 1', { a: 1, b: 2 }, '[s]\na = 1\nb = 2\n'],
    ['line ends of Windows', '[s]\r\na = 1\r\n', { a: 1, b: 2 }, '[s]\r\na = 1\r\nb = 2\r\n'],
    ['dotted keys', '[s]\nc.a = 1\n', { c: { a: 1, b: 2 } }, '[s]\nc.a = 1\nc.b = 2\n'],
    ['a subsection', '[s]\n[s.c]\na = 1\n[t]\n', { c: { a: 1, b: 2 } }, '[s]\n[s.c]\na = 1\nb = 2\n[t]\n'],
    ['a subsection less', '[s]\na = 1\n# about c\n[s.c]\nb = 1\n', { a: 1 }, '[s]\na = 1\n'],
    ['a new subsection', '[s]\na = 1\n', { a: 1, c: { b: 2 } }, '[s]\na = 1\n\n[s.c]\nb = 2\n'],
    ['an inline table', '[s]\nc = { a = 1 }\n', { c: { a: 2 } }, '[s]\nc = { a = 2 }\n'],
    ['a section of subsections alone', '[s.c]\na = 1\n', { b: 2, c: { a: 1 } }, '[s]\nb = 2\n\n[s.c]\na = 1\n'],
  ])('changes %s', (_, text, values, result) => expect(edited(text, values)).toBe(result));
});
