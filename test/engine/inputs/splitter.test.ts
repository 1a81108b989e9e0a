import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SplitOptions } from '../../../engine/inputs/splitters/index.ts';
import type { Outlook } from '../../../engine/inputs/splitter.ts';
import { JSON_VALUES, LINE, OCTETS, NONE, CSV, regex, splitChunks, chunksOf } from './splitters/fixtures.ts';

const QUERIES: SplitOptions = { kind: 'regex', pattern: '\\n(# Q:)', delimiterEol: false, preamble: /^(?:begin|end|)$/ };

describe('splitting', () => {
  const cases: [title: string, split: SplitOptions, data: string, last: Outlook, records: string[]][] = [
    ['lines; the last one waits', LINE, 'a\nb\nc', 'pause', ['a', 'b']],
    ['lines; the last one at the end', LINE, 'a\nb\nc', 'end', ['a', 'b', 'c']],
    ['line ends of Windows', LINE, 'a\r\nb\r\n', 'end', ['a', 'b']],
    ['a carriage return at the end', LINE, 'a\r\nb\r', 'end', ['a', 'b']],
    ['carriage returns elsewhere stay', LINE, 'a\rb\r\r\n', 'end', ['a\rb\r']],
    ['empty lines are records', LINE, '\na\n\n\nb\n', 'end', ['', 'a', '', '', 'b']],
    ['NUL bytes before a line', LINE, '\0\0\0a\n\0\0b\nc\0d\n\0\0', 'end', ['a', 'b', 'c\0d']],
    ['nothing', LINE, '', 'end', []],
    ['no splitting', NONE, 'a\nb\n', 'end', ['a\nb\n']],
    ['no splitting, nothing', NONE, '', 'end', []],
    ['a delimiter that is thrown away', regex('\\n+'), 'a\n\nb\n', 'pause', ['a', 'b']],
    ['a delimiter that is kept', regex('(\\n)'), 'a\nb\n', 'pause', ['a\n', 'b\n']],
    ['a delimiter kept at the start', regex('\\n(# Q:)', false), '# Q: 1\nx\n# Q: 2\ny\n# Q: 3\n', 'pause', ['# Q: 1\nx', '# Q: 2\ny']],
    ['a kept start at the end', regex('\\n(# Q:)', false), '# Q: 1\nx\n# Q: 2\n', 'end', ['# Q: 1\nx', '# Q: 2\n']],
    [
      'lines that begin with an expression',
      regex('\\n([A-Z]{2,5} +\\d{1,3})', false),
      'x\nAB 1\n y\nABC  2\nA 3\nAB 4',
      'end',
      ['x', 'AB 1\n y', 'ABC  2\nA 3', 'AB 4'],
    ],
    ['a beginning that more bytes may change', regex('\\n([A-Z]{2,5}\\b)', false), 'AB\ny\nABC', 'more', []],
    ['text before the first delimiter', regex('(# )', false), 'x\n# a# b', 'end', ['x\n', '# a', '# b']],
    ['one word of several', regex('(?:one|two)'), 'aonebtwoc', 'end', ['a', 'b', 'c']],
    ['a part of the delimiter', regex(';(\\n);'), 'a;\n;b', 'end', ['a\n', 'b']],
    ['a class', regex('[,;] ?'), 'a, b;c', 'end', ['a', 'b', 'c']],
    ['an expression of the linear engine', regex('(?i)end\\s+of\\s+entry'), 'aEND of  entrybend of entryc', 'end', ['a', 'b', 'c']],
    ['letters beyond ASCII', regex('[é-ü]'), 'aöbéc', 'end', ['a', 'b', 'c']],
    ['a class of one character beyond U+FFFF', regex('[😀]'), 'a😁b😀c', 'end', ['a😁b', 'c']],
    ['a range beyond U+FFFF', regex('[😀-😂]'), 'a😁b😎c', 'end', ['a', 'b😎c']],
    ['whatever is not in a class, beyond U+FFFF', regex('([^ab])'), 'a😁b😀', 'end', ['a😁', 'b😀']],
    ['a character beyond U+FFFF before another', regex('[^a]x'), 'a😀xb', 'end', ['a', 'b']],
    ['punctuation behind backslashes', regex('\\-\\"[\\]\\-\\/]\\\\'), 'a-"]\\b-"-\\c', 'end', ['a', 'b', 'c']],
    ['lines in front of all records', QUERIES, 'begin\r\nend\n# Q: 1\nbegin\n# Q: 2\n', 'end', ['# Q: 1\nbegin', '# Q: 2\n']],
    ['other lines in front of all records', QUERIES, 'begin\nx\n# Q: 1\n', 'end', ['begin\nx', '# Q: 1\n']],
    ['nothing but lines in front of records', QUERIES, 'begin\n', 'end', []],
    ['an empty match', regex('\\b'), 'ab cd', 'end', ['ab', ' ', 'cd']],
    ['messages with counts', OCTETS, '5 <1>ab6 <1>c\nd\n5 <1>ef\n', 'end', ['5 <1>ab', '6 <1>c\nd', '5 <1>ef']],
    ['counts of bytes', OCTETS, '8 <1>é€4 <1>a', 'end', ['8 <1>é€', '4 <1>a']],
    ['a message that is not whole', OCTETS, '5 <1>ab9 <1>c', 'pause', ['5 <1>ab']],
    ['counts that are wrong', OCTETS, '9 <1>ab\n5 <1>ab\nx\n', 'end', ['9 <1>ab', '5 <1>ab', 'x']],
    ['objects in lines', JSON_VALUES, '{"a":1}\n{"b":"}"}\r\n', 'pause', ['{"a":1}', '{"b":"}"}']],
    ['objects in one line', JSON_VALUES, '{"a":{}}{"b":"\\"}"} , {"c":1}', 'end', ['{"a":{}}', '{"b":"\\"}"}', '{"c":1}']],
    ['objects over several lines', JSON_VALUES, '{\n "a": 1\n}{\n "b":\n {\n}\n}\n', 'end', ['{\n "a": 1\n}', '{\n "b":\n {\n}\n}']],
    ['a list of objects', JSON_VALUES, '[ {\n "a": [\n1\n]\n}, {\n "b": 1\n} ]\n', 'end', ['{\n "a": [\n1\n]\n}', '{\n "b": 1\n}']],
    ['an indented list', JSON_VALUES, '[\n\t{\n\t\t"a":[\n\t\t\t{}]\n\t},\n\t{}\n]', 'end', ['{\n\t\t"a":[\n\t\t\t{}]\n\t}', '{}']],
    ['an export', JSON_VALUES, '{"records": [{"a":1},{"b":[]}]}\n{"records":[{"c":1}]}\n', 'end', ['{"a":1}', '{"b":[]}', '{"c":1}']],
    ['an export over several lines', JSON_VALUES, '{\n  "Records": [\n    {\n "a": 1\n    }\n  ]\n}\n', 'end', ['{\n "a": 1\n    }']],
    ['an object that does not end', JSON_VALUES, '{"a":1,\n "b\n{"c":1}\n', 'end', ['{"a":1,\n "b', '{"c":1}']],
    ['an object that may end', JSON_VALUES, '{"a":1}\n{"b":1,', 'pause', ['{"a":1}']],
    ['other lines among objects', JSON_VALUES, 'x {y}\n[1] z\n{"a":1}\n} else\n', 'end', ['x {y}', '[1] z', '{"a":1}', '} else']],
    ['the last object of all', JSON_VALUES, '{"a":1}\n{"b":1', 'end', ['{"a":1}', '{"b":1']],
    ['values without quotes', CSV, 'a,b\nc,d\r\n\ne', 'end', ['a,b', 'c,d', '', 'e']],
    ['a line end in quotes', CSV, 'a,"b\nc",d\n"e\r\n\nf"\r\ng\n', 'end', ['a,"b\nc",d', '"e\r\n\nf"', 'g']],
    ['doubled quotes', CSV, '"a ""b""\n"",c",d\n"",""\ne\n', 'end', ['"a ""b""\n"",c",d', '"",""', 'e']],
    ['quotes inside of a value', CSV, 'a 5" pipe,b\nc"\nd,e"f,"g\nh"\n', 'end', ['a 5" pipe,b', 'c"', 'd,e"f,"g\nh"']],
    ['two values of several lines', CSV, '"a\nb","c\nd"\ne', 'end', ['"a\nb","c\nd"', 'e']],
    ['a quoted value at the end', CSV, 'a\n"b\nc"', 'end', ['a', '"b\nc"']],
    ['a quoted value that may go on', CSV, 'a\n"b\nc"', 'pause', ['a']],
    ['a quoted value that has its end', CSV, 'a\n"b\nc"\n', 'pause', ['a', '"b\nc"']],
    ['a quote that does not end', CSV, 'a,"b\nc,d\ne,f\n', 'end', ['a,"b', 'c,d', 'e,f']],
    ['a quote that may end', CSV, 'a,"b\nc,d\ne,f\n', 'pause', []],
    ['text behind the end of a quote', CSV, 'a,"b\n"c","d"\n"e\nf"\n', 'end', ['a,"b', '"c","d"', '"e\nf"']],
    ['a byte that is like a quote in no encoding', CSV, 'é,"ö\nü"\nß\n', 'end', ['é,"ö\nü"', 'ß']],
    ['tabs between values', { kind: 'csv', delimiter: '\t' }, 'a,"b\nc\t"d\ne"\n', 'end', ['a,"b', 'c\t"d\ne"']],
    ['a delimiter of several bytes', { kind: 'csv', delimiter: '¦' }, '"a\nb"¦"c\nd"\ne\n', 'end', ['"a\nb"¦"c\nd"', 'e']],
  ];
  it.each(cases)('%s', (_title, split, data, last, records) => {
    expect(splitChunks(split, [data], last)).toEqual(records);
    const bytes = [...Buffer.from(data)].map((byte) => Uint8Array.of(byte));
    if (split.kind !== 'regex' || !split.pattern.includes('+')) expect(splitChunks(split, bytes, last)).toEqual(records);
  });

  it('gives the same lines whatever the chunks are', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂', '\r', ' '), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(40)), (lines, sizes) => {
        const data = lines.map((text) => `${text}\n`).join('');
        expect(splitChunks(LINE, chunksOf(data, sizes))).toEqual(lines.map((text) => (text.endsWith('\r') ? text.slice(0, -1) : text)));
      }),
    );
  });

  it('gives the same records of a regular expression whatever the chunks are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '-', '\n', '#'), maxLength: 60 });
    const pattern = fc.constantFrom('-+', '\\n(#)', '(-)', '[-\\n]#?', '(?:#|--)');
    fc.assert(
      fc.property(text, pattern, fc.boolean(), fc.array(fc.nat(9)), (data, source, eol, sizes) => {
        const whole = splitChunks(regex(source, eol), [data]);
        if (source !== '\\n(#)' && source !== '[-\\n]#?') expect(splitChunks(regex(source, eol), chunksOf(data, sizes))).toEqual(whole);
        expect(whole.every((record) => record.length > 0)).toBe(true);
      }),
    );
  });
});
