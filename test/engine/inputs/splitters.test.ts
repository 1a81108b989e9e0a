import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '../../../engine/inputs/notices.ts';
import { cutPieces } from '../../../engine/inputs/pieces.ts';
import { RecordStream } from '../../../engine/inputs/record-stream.ts';
import { makeSplitter, parseSplit, type SplitOptions } from '../../../engine/inputs/splitters/index.ts';
import { MOST_QUOTED_BYTES } from '../../../engine/inputs/splitters/csv.ts';
import { compileDelimiter } from '../../../engine/inputs/splitters/delimiter.ts';
import { initialState, MAX_BATCH_BYTES, MAX_BATCH_RECORDS, type Outlook } from '../../../engine/inputs/splitter.ts';
import type { Piece } from '../../../engine/inputs/pieces.ts';
import { workMs } from '../../growth.ts';

const LINE: SplitOptions = { kind: 'line' };
const NONE: SplitOptions = { kind: 'none' };
const QUERIES: SplitOptions = { kind: 'regex', pattern: '\\n(# Q:)', delimiterEol: false, preamble: /^(?:begin|end|)$/ };
const CSV: SplitOptions = { kind: 'csv', delimiter: ',' };
const JOURNAL: SplitOptions = { kind: 'journal' };
const CONTAINER: SplitOptions = { kind: 'container' };
const regex = (pattern: string, delimiterEol = true): SplitOptions => ({ kind: 'regex', pattern, delimiterEol });

function textsOf(piece: Piece): string[] {
  return Array.from({ length: piece.count }, (_, i) => piece.payload.text.slice(piece.payload.starts[i], piece.payload.ends[i]));
}

/** All records of a stream that comes in chunks, and its end. */
function splitChunks(split: SplitOptions, chunks: readonly (string | Uint8Array)[], last: Outlook = 'end', maxRecord?: number): string[] {
  const stream = new RecordStream(makeSplitter(split, maxRecord));
  const records: string[] = [];
  for (const chunk of chunks) for (const { piece } of stream.push(Buffer.from(chunk), 'more')) records.push(...textsOf(piece));
  for (const { piece } of stream.push(Buffer.alloc(0), last)) records.push(...textsOf(piece));
  return records;
}

/** A text in pieces of these sizes, and the rest. */
function chunksOf(text: string | Buffer, sizes: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(text);
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of [...sizes, bytes.length]) chunks.push(bytes.subarray(at, (at += size)));
  return chunks;
}

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

describe('logs of containers', () => {
  const T = '2021-03-05T13:07:59.25Z';
  const docker = (log: string, stream = 'stdout'): string => JSON.stringify({ log, stream, time: T });
  const OTHERS = Array.from({ length: 120 }, (_, i) => `${T} stderr F ${i}`);
  const cases: [title: string, lines: readonly string[], last: Outlook, records: readonly number[]][] = [
    ['whole lines', [`${T} stdout F a`, `${T} stderr F b`, docker('a\n'), docker('b\r\n')], 'end', [1, 1, 1, 1]],
    ['pieces', [`${T} stdout P a`, `${T} stdout P b`, `${T} stdout F c`, `${T} stdout F d`], 'end', [3, 1]],
    ['tags', [`${T} stdout P:x a`, `${T} stdout F:y`], 'end', [2]],
    ['both streams', [`${T} stdout P a`, `${T} stderr P b`, `${T} stdout F c`, `${T} stderr F d`, `${T} stdout F e`], 'end', [4, 1]],
    ['pieces of Docker', [docker('a'), docker('b\n', 'stderr'), docker('c\n'), docker('d\n')], 'end', [3, 1]],
    ['backslashes before an n', [docker('a\\n'), docker('b\\\n'), docker('c\n')], 'end', [2, 1]],
    ['a piece that waits for the next one', [`${T} stdout F a`, `${T} stdout P b`], 'pause', [1]],
    ['a piece at the end', [`${T} stdout F a`, `${T} stdout P b`], 'end', [1, 1]],
    ['a line of another form behind a piece', [`${T} stdout P a`, 'x', `${T} stdout F b`], 'end', [1, 1, 1]],
    ['lines of other forms', ['x', '', '{"log":"a', `${T} stdin P a`, `${T} stdout G a`, 'a stdout'], 'end', [1, 1, 1, 1, 1, 1]],
    ['too many lines of the other stream', [`${T} stdout P a`, ...OTHERS], 'end', [102, ...OTHERS.slice(101).map(() => 1)]],
  ];
  it.each(cases)('%s', (_title, lines, last, counts) => {
    const data = `${lines.join('\n')}\n`;
    const records = splitChunks(CONTAINER, [data], last);
    expect(records.map((record) => record.replace(/\n$/, '').split('\n').length)).toEqual(counts);
    expect(records.map((record) => record.replace(/\n$/, ''))).toEqual(lines.join('\n') === '' ? [] : regrouped(lines, counts));
    const bytes = [...Buffer.from(data)].map((byte) => Uint8Array.of(byte));
    expect(splitChunks(CONTAINER, bytes, last)).toEqual(records);
  });

  function regrouped(lines: readonly string[], counts: readonly number[]): string[] {
    let at = 0;
    return counts.map((count) => lines.slice(at, (at += count)).join('\n'));
  }

  it('ends a record before it gets too long', () => {
    const pieces = Array.from({ length: 9 }, (_, i) => `${T} stdout P ${i}${'x'.repeat(100)}\n`).join('');
    const records = splitChunks(CONTAINER, [pieces], 'end', 400);
    expect(records.map((record) => record.length <= 400)).toEqual(records.map(() => true));
    expect(`${records.join('\n')}`.trim()).toBe(pieces.trim());
  });
});

describe('quoted values', () => {
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', ' '), maxLength: 5 }),
    fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r\n', ',', '€'), maxLength: 9 }).map((text) => `"${text.replaceAll('"', '""')}"`),
  );
  const anything = fc.string({ unit: fc.constantFrom('a', '"', '"', '\n', '\r', ','), maxLength: 60 });

  it('keep records together whatever the chunks are', () => {
    const record = fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => values.join());
    fc.assert(
      fc.property(fc.array(record), fc.array(fc.nat(9)), (records, sizes) => {
        expect(splitChunks(CSV, chunksOf(records.map((text) => `${text}\n`).join(''), sizes))).toEqual(records);
      }),
    );
  });

  it('lose nothing of what is not a record', () => {
    fc.assert(
      fc.property(anything, fc.array(fc.nat(9)), (text, sizes) => {
        const records = splitChunks(CSV, [text]);
        expect(splitChunks(CSV, chunksOf(text, sizes))).toEqual(records);
        expect(records.join('\n').replaceAll('\r', '')).toBe(text.replace(/\n$/, '').replaceAll('\r', ''));
      }),
    );
  });

  it('do not go on for long', () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i},b`);
    const text = (first: string): string => `${first}\n${lines.join('\n')}\n`;
    expect(splitChunks(CSV, [text('a,"b')])).toEqual(['a,"b', ...lines]);
    const within = 'x\n'.repeat(MOST_QUOTED_BYTES / 2 - 9);
    expect(splitChunks(CSV, [`"${within}"\n`])).toEqual([`"${within}"`]);
    expect(splitChunks(CSV, [`"${within}${within}"\n`]).length).toBe(MOST_QUOTED_BYTES - 18 + 1);
  });

  it.each(['"', ', a', 'a', 'a,"', '"",'])('take no time that grows with what there is: %j', (line) => {
    const text = `${line}\n`.repeat(60_000);
    const records = splitChunks(CSV, [text]);
    expect(records.join('\n')).toBe(text.slice(0, -1));
  });
});

/** A field in the binary form of the journal's export format. */
function binaryField(name: string, value: string | Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(value)));
  return Buffer.concat([Buffer.from(`${name}\n`), length, Buffer.from(value), Buffer.from('\n')]);
}

describe('entries of a journal', () => {
  const entry = (...fields: readonly (string | Buffer)[]): Buffer =>
    Buffer.concat([
      Buffer.from('__CURSOR=s\n'),
      ...fields.map((field) => (typeof field === 'string' ? Buffer.from(`${field}\n`) : field)),
      Buffer.from('\n'),
    ]);
  const forged = 'a\n\n__CURSOR=x\nPRIORITY=0\n\n';

  it.each<[title: string, data: Buffer, records: string[]]>([
    ['fields of one line', Buffer.concat([entry('A=1', 'B='), entry('A=ü=2')]), ['__CURSOR=s\nA=1\nB=', '__CURSOR=s\nA=ü=2']],
    [
      'what looks like another entry in a field',
      entry(binaryField('M', forged), 'B=2'),
      ['__CURSOR=s\nM=a\n \n __CURSOR=x\n PRIORITY=0\n \n \nB=2'],
    ],
    [
      'lengths that are no text',
      entry(binaryField('M', 'ü'.repeat(100)), binaryField('N', 'y'.repeat(0xa9c3))),
      [`__CURSOR=s\nM=${'ü'.repeat(100)}\nN=${'y'.repeat(0xa9c3)}`],
    ],
    ['bytes that are no UTF-8', entry(binaryField('M', Buffer.from([0xe9, 10, 0]))), ['__CURSOR=s\nM=é\n \0']],
    ['an empty value', entry(binaryField('M', '')), ['__CURSOR=s\nM=']],
    ['a length that lies', entry('M', 'NNNNNNNNNN', 'B=2'), ['__CURSOR=s\nM\nNNNNNNNNNN\nB=2']],
    ['a value without its end', entry(binaryField('M', 'abc')).subarray(0, -4), ['__CURSOR=s\nM=a']],
    ['line ends of Windows, and empty lines', Buffer.from('\r\n\nA=1\r\nB=2\r\n\r\n\r\nA=3'), ['A=1\r\nB=2', 'A=3']],
  ])('%s', (_, data, records) => {
    expect(splitChunks(JOURNAL, [data])).toEqual(records);
    expect(
      splitChunks(
        JOURNAL,
        [...data].map((byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(records);
  });

  it('wait for their empty line', () => {
    const whole = Buffer.concat([entry('A=1'), entry(binaryField('M', forged))]);
    expect(splitChunks(JOURNAL, [whole.subarray(0, -2)], 'pause')).toEqual(['__CURSOR=s\nA=1']);
  });

  it('are delivered cut when they are too long, and the next one is whole', () => {
    const long = entry('A=1', binaryField('M', 'x'.repeat(500)));
    for (const chunks of [
      [Buffer.concat([long, entry('B=2')])],
      [...Buffer.concat([long, entry('B=2')])].map((byte) => Uint8Array.of(byte)),
    ])
      expect(splitChunks(JOURNAL, chunks, 'end', 40)).toEqual([`__CURSOR=s\nA=1\nM=${'x'.repeat(23)}`, '__CURSOR=s\nB=2']);
  });

  it('are told apart whatever their values are, in pieces of any size', () => {
    const value = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\0', '=', ' ', '__CURSOR='), maxLength: 300 });
    fc.assert(
      fc.property(fc.array(fc.array(value), { minLength: 1 }), fc.array(fc.nat(60)), (entries, sizes) => {
        const data = Buffer.concat(entries.map((values) => entry(...values.map((one) => binaryField('F', one)))));
        const records = entries.map((values) => ['__CURSOR=s', ...values.map((one) => `F=${one.replaceAll('\n', '\n ')}`)].join('\n'));
        expect(splitChunks(JOURNAL, chunksOf(data, sizes))).toEqual(records);
      }),
    );
  });
});

describe('batches', () => {
  const pieces = (split: SplitOptions, data: string, maxRecord?: number): Piece[] => [
    ...cutPieces(makeSplitter(split, maxRecord), Buffer.from(data), 0, 'end', initialState()),
  ];

  it('hold at most 4096 records', () => {
    const found = pieces(LINE, 'x\n'.repeat(MAX_BATCH_RECORDS * 2 + 3));
    expect(found.map(({ count, firstLine }) => [count, firstLine])).toEqual([
      [4096, 1],
      [4096, 4097],
      [3, 8193],
    ]);
  });

  it('hold at most 1 MiB, with a text that is not longer', () => {
    const found = pieces(LINE, `${'y'.repeat(99_999)}\n`.repeat(30));
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(30);
    expect(Math.max(...found.map(({ payload }) => payload.text.length))).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  });

  it.each([
    ['line', LINE, 'ok\n' + 'z'.repeat(50) + '\nafter\n', ['ok', 'zzzzzzzz', 'after']],
    ['line at the end', LINE, 'ok\n' + 'z'.repeat(50), ['ok', 'zzzzzzzz']],
    ['line with a character across the limit', LINE, 'zzzzzzz€€€\nafter\n', ['zzzzzzz', 'after']],
    ['line of exactly the limit', LINE, '12345678\r\n123456789\n', ['12345678', '12345678']],
    ['whole', NONE, 'z'.repeat(50), ['zzzzzzzz']],
    ['regex', regex(';'), 'ok;' + 'z'.repeat(50) + ';after;', ['ok', 'zzzzzzzz', 'after']],
  ])('cut what is too long: %s', (_title, split, data, records) => {
    expect(pieces(split, data, 8).flatMap(textsOf)).toEqual(records);
    expect(pieces(split, data, 8).filter(({ truncated }) => truncated)).toHaveLength(1);
    const bytes = [...Buffer.from(data)].map((byte) => Uint8Array.of(byte));
    expect(splitChunks(split, bytes, 'end', 8)).toEqual(records);
  });

  it.each<[string, boolean]>([
    ['\\n(# Q:)', false],
    ['(\\n)', true],
    ['\\n+', true],
    ['\\r?\\n', true],
    [';--;', true],
  ])('lose no record behind one that was too long, whatever the chunks are: %s', (pattern, eol) => {
    const parts = fc.array(fc.constantFrom('a', '😀', '\n', '\r\n', '\n# Q:', ';--;', 'z'.repeat(500)), { maxLength: 40 });
    fc.assert(
      fc.property(parts, fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 40 }), (texts, sizes) => {
        const data = texts.join('');
        const whole = splitChunks(regex(pattern, eol), [data], 'end', 20);
        expect(splitChunks(regex(pattern, eol), chunksOf(data, sizes), 'end', 20)).toEqual(whole);
      }),
    );
  });

  it('number lines right behind one that was too long', () => {
    const found = pieces(LINE, `a\n${'z'.repeat(50)}\nb\nc`, 8);
    expect(found.flatMap((piece) => textsOf(piece).map((text, i) => [text, piece.firstLine + i]))).toEqual([
      ['a', 1],
      ['zzzzzzzz', 2],
      ['b', 3],
      ['c', 4],
    ]);
  });

  it('take the line end of a line that was delivered without it', () => {
    const splitter = makeSplitter(LINE);
    const state = initialState();
    const cut = (data: string, outlook: Outlook): string[] =>
      [...cutPieces(splitter, Buffer.from(data), 0, outlook, state)].flatMap(textsOf);
    expect(cut('a\nb', 'end')).toEqual(['a', 'b']);
    expect([cut('\r', 'pause'), state.midLine]).toEqual([[], true]);
    expect(cut('\r\nc\nd', 'end')).toEqual(['c', 'd']);
    expect([cut('e\n', 'pause'), state.line]).toEqual([['e'], 5]);
  });
});

describe('encodings of records', () => {
  const cases: [string, number[] | string, string, boolean][] = [
    ['ASCII', 'plain', 'plain', false],
    ['UTF-8', 'žluťoučký €🙂', 'žluťoučký €🙂', false],
    ['Latin-1', [0x47, 0x72, 0xfc, 0xdf, 0x65], 'Grüße', true],
    ['windows-1252', [0x80, 0x20, 0x93, 0x78, 0x94], '€ “x”', true],
    ['damaged UTF-8', [...Buffer.from('ěščř'), 0xff], 'ěščř\ufffd', true],
    ['a cut sequence', [0x61, 0xe2, 0x82], 'aâ‚', true],
  ];
  it.each(cases)('%s', (_title, data, text, invalid) => {
    const bytes = Buffer.concat([Buffer.from('é first\n'), Buffer.from(data as string), Buffer.from('\nlast ú')]);
    const found = [...cutPieces(makeSplitter(LINE), bytes, 0, 'end', initialState())];
    expect(found.flatMap(textsOf)).toEqual(['é first', text, 'last ú']);
    expect(found.some((piece) => piece.invalid)).toBe(invalid);
    expect(splitChunks(regex('\\n'), [bytes])).toEqual(['é first', text, 'last ú']);
  });

  it('any bytes give one record a line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const lines = [...bytes].filter((byte) => byte === 10).length;
        const found = [...cutPieces(makeSplitter(LINE), Buffer.from(bytes), 0, 'pause', initialState())];
        expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(lines);
        for (const piece of found) expect(textsOf(piece).join('').isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('parseSplit', () => {
  it.each([
    ['line', { kind: 'line' }],
    ['none', { kind: 'none' }],
    ['regex:\\n(?=x)', { kind: 'regex', pattern: '\\n(?=x)' }],
  ])('%s', (text, options) => expect(parseSplit(text)).toEqual(options));

  it.each(['', 'regex:', 'lines'])('refuses %j', (text) => expect(() => parseSplit(text)).toThrow(InputError));

  it.each(['(', '(a)(b)', 'x*', '\\n(?=x)'])('a delimiter cannot be %s', (pattern) => {
    expect(() => compileDelimiter(pattern)).toThrow(expect.objectContaining({ code: 'split.bad' }));
  });

  it('no delimiter stalls on any text', () => {
    const data = 'a'.repeat(200_000);
    for (const pattern of ['(?:a+)+b', 'a+b', '(?:a|aa)+c', '(?:a?a?a?a?a?a?a?a?)a+b']) {
      expect(workMs(() => expect(splitChunks(regex(pattern), [data])).toEqual([data]))).toBeLessThan(5000);
    }
  });
});
