import { describe, expect, it } from 'vitest';
import { addressAt, nextCursor, type CursorRule } from '../../../../engine/inputs/http/cursor.ts';

const BASE = 'http://h/items?a=%20b';
const rule = (kind: CursorRule['kind'], path = '', parameter?: string): CursorRule => ({ kind, path, parameter });

describe('the address of a page', () => {
  it.each<[CursorRule, string | null, string]>([
    [rule('link'), null, BASE],
    [rule('link'), 'http://h/items?page=2', 'http://h/items?page=2'],
    [rule('json', 'next', 'after'), null, BASE],
    [rule('json', 'next', 'after'), 'x y&', 'http://h/items?a=+b&after=x+y%26'],
    [rule('page', '', 'p'), null, 'http://h/items?a=+b&p=1'],
    [rule('offset', '', 'o'), null, 'http://h/items?a=+b&o=0'],
    [{ ...rule('page', '', 'p'), start: 0 }, null, 'http://h/items?a=+b&p=0'],
    [rule('page', '', 'a'), '7', 'http://h/items?a=7'],
  ])('%j at %j', (each, cursor, address) => expect(addressAt(BASE, each, cursor).href).toBe(address));
});

describe('the next cursor', () => {
  const next = (each: CursorRule, body: string, { link, cursor = null }: { link?: string; cursor?: string | null } = {}): string | null =>
    nextCursor(each, new URL('http://h/items?p=1'), { body, headers: link === undefined ? {} : { link } }, cursor);

  it.each<[string, string | null]>([
    ['<http://h/2>; rel="next"', 'http://h/2'],
    ['<?p=2>; rel=next', 'http://h/items?p=2'],
    ['<http://h/1>; rel="prev", <http://h/9?a=b,c>; title="a, b; c"; rel="last next"', 'http://h/9?a=b,c'],
    ['<http://h/1>; rel="nextish"', null],
    ['<http://h/items?p=1>; rel="next"', null],
    ['nothing', null],
  ])('by the header %j', (link, cursor) => expect(next(rule('link'), '', { link })).toBe(cursor));

  it('by no header is none', () => expect(next(rule('link'), '')).toBeNull());

  it.each<[string, CursorRule, string | null, string | null]>([
    ['{"paging":{"next":"/items?p=2"}}', rule('json', 'paging.next'), null, 'http://h/items?p=2'],
    ['{"next":12345678901234567890}', rule('json', 'next', 'after'), null, '12345678901234567890'],
    ['{"list":[{"id":"x"}]}', rule('json', 'list.0.id', 'after'), 'w', 'x'],
    ['{"next":"x"}', rule('json', 'next', 'after'), 'x', null],
    ['{"next":null}', rule('json', 'next', 'after'), 'x', null],
    ['{"next":""}', rule('json', 'next'), null, null],
    ['{"next":false}', rule('json', 'next'), null, null],
    ['{}', rule('json', 'next.x', 'toString'), null, null],
    ['[1,2,3]', rule('offset', '', 'o'), null, '3'],
    ['{"d":{"l":[1,2]}}', rule('offset', 'd.l', 'o'), '40', '42'],
    ['[1,2]', rule('page', '', 'p'), null, '2'],
    ['[1,2]', { ...rule('page', '', 'p'), start: 0 }, null, '1'],
    ['[]', rule('page', '', 'p'), '4', null],
  ])('of %s by %j at %j', (body, each, cursor, expected) => expect(next(each, body, { cursor })).toBe(expected));

  it.each<[string, CursorRule, string]>([
    ['{"next":"http://other/"}', rule('json', 'next'), 'the next page is on another server, http://other'],
    ['{"next":"https://h/"}', rule('json', 'next'), 'the next page is on another server, https://h'],
    ['{"next":"http://["}', rule('json', 'next'), 'the next page http://[ is no address'],
    ['{"next":{}}', rule('json', 'next'), 'next of the answer is neither a text nor a number'],
    ['{', rule('json', 'next'), 'the answer is no JSON, or longer than what is read of it'],
    ['{"l":5}', rule('offset', 'l', 'o'), 'the answer has no list l'],
    ['{}', rule('page', '', 'o'), 'the answer has no list of records'],
  ])('of %s is refused', (body, each, error) => expect(() => next(each, body)).toThrow(error));
});
