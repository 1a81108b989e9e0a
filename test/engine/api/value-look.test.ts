import { expect, it } from 'vitest';
import { painter } from '../../../renderer/src/views/logs/table/highlight.ts';
import { nextValue } from '../../../engine/api/value-look.ts';

const valuesOf = (text: string): string[] =>
  painter([{ find: nextValue, look: 'value' }])(text).flatMap(({ text: piece, look }) =>
    look === null ? [] : [`${look.slice(6)}: ${piece}`],
  );

it.each<[text: string, values: string[]]>([
  ['GET /checkout 504 30 s', ['path: /checkout', 'quantity: 30 s']],
  ['GET /a?b=1&c=2. Done', ['path: /a?b=1&c=2']],
  ['from 192.0.2.7 port 22', ['address: 192.0.2.7']],
  ['to 10.0.0.5:8080, 10.0.0.0/8', ['address: 10.0.0.5:8080', 'address: 10.0.0.0/8']],
  ['2001:db8::7 fe80::1 ::1', ['address: 2001:db8::7', 'address: fe80::1', 'address: ::1']],
  ['00:1b:44:11:3a:b7 and alice@example.org', ['address: 00:1b:44:11:3a:b7', 'address: alice@example.org']],
  ['at 12:34:56 on 2026-11-20, 1.2.3 of std::vector', []],
  ["open \"/srv/x y\" failed, it's 'no'", ['quote: "/srv/x y"', "quote: 'no'"]],
  ['took 2314ms, 12.5 MB of 1,024 KiB, 99.9 %', ['quantity: 2314ms', 'quantity: 12.5 MB', 'quantity: 1,024 KiB', 'quantity: 99.9 %']],
  ['1 second, 5 boxes, v2s and 3d-model', []],
  [
    'id 5b8efff798038103d269b633813fc60c 0x7ffd 550e8400-e29b-41d4-a716-446655440000',
    ['id: 5b8efff798038103d269b633813fc60c', 'id: 0x7ffd', 'id: 550e8400-e29b-41d4-a716-446655440000'],
  ],
  ['see https://example.org/a?b=1, C:\\Windows\\x.ini', ['path: https://example.org/a?b=1', 'path: C:\\Windows\\x.ini']],
  ['1/2 and/or a/b', []],
  ['deadbeefcafe defaced', []],
])('%s', (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

it.each(['"', "'", '/', 'a:', '1.', '1,1', '::', 'a@', '0x', '-', 'ab1', 'x://'])(
  'takes little time for a text of nothing but %s',
  (piece) => {
    const text = piece.repeat(2000).slice(0, 2000);
    const began = performance.now();
    for (let i = 0; i < 20; i++) valuesOf(text);
    expect(performance.now() - began).toBeLessThan(2000);
  },
);
