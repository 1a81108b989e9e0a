import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordDetail } from '../../../../../../engine/api/types.ts';
import { isStructured, prettyParts } from '../../../../../../renderer/src/views/logs/inspector/pretty.ts';
import { recordMarkdown } from '../../../../../../renderer/src/views/logs/inspector/record-markdown.ts';
import { linesBehind } from '../../../../../../renderer/src/state/row-text.ts';
import { expectLinear } from '../../../../../growth.ts';

const shown = (text: string): string[] => prettyParts(text).map((part) => `${part.kind ?? 'text'}: ${part.text}`);
const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');

describe('structured text', () => {
  it('in JSON has a line for each member; numbers, repeated names and escapes stay as they were written', () => {
    expect(
      shown('{"id":12345678901234567890,"a":1.50,"a":"x\\u0041\\n","list":[1,2,{"b":null}],"long":{"text":"' + 'y'.repeat(60) + '"}}'),
    ).toEqual([
      `JSON: {\n  "id": 12345678901234567890,\n  "a": 1.50,\n  "a": "x\\u0041\\n",\n  "list": [1, 2, {"b": null}],\n  "long": {\n    "text": "${'y'.repeat(60)}"\n  }\n}`,
    ]);
  });

  it('stands among words', () => {
    expect(shown('sent {"to":"maria"} in [1, 2, 3] and {} or [x]')).toEqual([
      'text: sent',
      'JSON: {\n  "to": "maria"\n}',
      'text: in',
      'JSON: [\n  1,\n  2,\n  3\n]',
      'text: and {} or [x]',
    ]);
  });

  it.each([
    ['<a x="1"><b>two</b><c/></a>', 'XML: <a x="1">\n  <b>two</b>\n  <c/>\n</a>'],
    ['<?xml version="1.0"?>\n<Event><Id>7</Id></Event>', 'XML: <?xml version="1.0"?>\n<Event>\n  <Id>7</Id>\n</Event>'],
    ['<a><!-- note --><![CDATA[<x>]]></a>', 'XML: <a>\n  <!-- note -->\n  <![CDATA[<x>]]>\n</a>'],
  ])('in XML has a line for each element: %s', (text, expected) => {
    const [part = ''] = shown(text);
    expect(withoutSpace(part)).toBe(withoutSpace(expected));
    expect(part.split('\n').length).toBe(expected.split('\n').length);
  });

  it('in SQL has a line for each clause, and keeps what is quoted', () => {
    expect(
      shown(
        "duration: 12 ms  statement: SELECT u.name, (SELECT 1 FROM x WHERE y) FROM users u LEFT JOIN o ON o.u = u.id WHERE a BETWEEN 1 AND 2 AND b = ' FROM  x' ORDER BY 1",
      ),
    ).toEqual([
      'text: duration: 12 ms  statement:',
      "SQL: SELECT u.name, (SELECT 1 FROM x WHERE y)\nFROM users u\nLEFT JOIN o\n  ON o.u = u.id\nWHERE a BETWEEN 1 AND 2\n  AND b = ' FROM  x'\nORDER BY 1",
    ]);
  });

  it.each([
    String.raw`SELECT * FROM users u WHERE name = 'it\'s  FROM  x' AND b = 'c' ORDER BY name`,
    "SELECT * FROM users u WHERE name = 'cut  in the middle AND  so on FROM",
  ])('in SQL is left as it is where a text may end elsewhere: %s', (text) => expect(prettyParts(text)).toEqual([{ kind: null, text }]));

  it('is a stack trace where lines are its frames', () => {
    expect(prettyParts('no route\n\tat shop.Cart.pay(Cart.java:7)\n\tat shop.Main.main(Main.java:3)')).toMatchObject([
      { kind: 'stack trace' },
    ]);
    expect(prettyParts('Traceback\n  File "/a.py", line 7, in <module>\n    x\n  File "/b.py", line 9, in f\nOSError: no')).toMatchObject([
      { kind: 'stack trace' },
    ]);
  });

  it.each([
    '',
    'plain',
    'a < b and c > d',
    '[main] INFO x',
    '{broken',
    'select a file from the list',
    '<unclosed> text',
    '[]',
    '{}',
    '[2021-03-05]',
  ])('%j is none', (text) => {
    expect(prettyParts(text)).toEqual([{ kind: null, text }]);
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '<',
      '>',
      '</',
      '<a>',
      '</a>',
      '/>',
      "'",
      '\\',
      '<!--',
      'SELECT a FROM b',
      ' WHERE ',
      '(',
      ')',
      '\n',
      ' at x',
    ),
    fc.json(),
    fc.string({ maxLength: 4 }),
  );

  it('loses nothing but white space, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        expect(
          withoutSpace(
            prettyParts(text)
              .map((part) => part.text)
              .join(''),
          ),
        ).toBe(withoutSpace(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('in JSON means the same', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4, withNullPrototype: false }), (value) => {
        const [part] = prettyParts(JSON.stringify(value));
        if (part?.kind === 'JSON') expect(JSON.parse(part.text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each<[string, (size: number) => string]>([
    ['brackets', (size) => '['.repeat(size)],
    ['nested lists', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['members', (size) => `{${'"a":[1],'.repeat(size / 8)}"b":1}`],
    ['elements', (size) => '<a>'.repeat(size / 3)],
    ['quotes', (size) => '<a "'.repeat(size / 4)],
    ['spaces', (size) => `${' '.repeat(size)}x`],
    ['lines', (size) => '\n'.repeat(size)],
  ])('takes no more time for many %s than for as many in small pieces', (what, make) => {
    expectLinear((size) => isStructured(prettyParts(make(size))), 48_000, what);
  });

  it('looks for no statement in a long text, nor for anything in a very long one', () => {
    expect(isStructured(prettyParts('query: select '.repeat(4000)))).toBe(false);
    expect(isStructured(prettyParts('{"a":1}'.repeat(100_000)))).toBe(false);
  });
});

describe('lines behind the first one', () => {
  it.each([
    ['one', 0],
    ['one\n', 0],
    ['one\ntwo\n\nfour\n\n', 3],
  ])('of %j are %i', (text, count) => expect(linesBehind(text)).toBe(count));
});

describe('a record as Markdown', () => {
  it('has its fields in a table, and its line in a fence that it cannot end', () => {
    const record = {
      ...{ type: 'app', logger: 'a|b', severity: 3, hostname: null, pid: null, envVersion: '', uuid: 'u', timeNs: '1' },
      fields: [{ name: 'size', type: 'integer', representation: 'B', values: ['12'] }],
      raw: 'before\n```\n<b>*x*</b>',
    } as unknown as RecordDetail;
    expect(recordMarkdown(record, 'a_b.log', '2021-03-05 13:07:59').split('\n')).toEqual([
      '**2021-03-05 13:07:59** a\\_b.log',
      '',
      '| Field | Value |',
      '|---|---|',
      '| size | 12 B |',
      '| Type | app |',
      '| Logger | a\\|b |',
      expect.stringMatching(/^\| Severity \| 3 /) as string,
      '',
      '````',
      'before',
      '```',
      '<b>*x*</b>',
      '````',
      '',
    ]);
  });
});
