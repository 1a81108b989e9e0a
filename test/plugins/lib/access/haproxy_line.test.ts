import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decoder, type Decoded } from '../../support/decode.ts';

const LINES = [
  'Mar  5 13:07:59 box1 haproxy[14389]: 192.0.2.1:33317 [05/Mar/2021:13:07:59.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {example.org} {} "GET /index.html HTTP/1.1"',
  'haproxy[14385]: 192.0.2.1:33313 [05/Mar/2021:13:07:08.001] fe~ be/<NOSRV> -1/-1/-1/-1/+9 503 +212 a=b c SC-- 0/0/0/0/+3 0/0 "GET / HTTP/1.1" 0/0/0/0/0 example.org/TLSv1.3/TLS_AES',
  '192.0.2.7:1 [05/Mar/2021:13:08:00.000] fe be/s 0/0/1/2/3 404 17 - - ---- 1/2/3/4/5 6/7 "<BADREQ>"',
];
const PIECES = [
  ...[
    '',
    '-',
    '--',
    '0',
    '-1',
    '+1',
    '-0',
    '007',
    '12345678901234567',
    'x',
    'a:b',
    '<',
    'Ü',
    '\u00a0',
    '\t',
    ' ',
    '  ',
    '/',
    '"',
    '{',
    '}',
    '{a} ',
    '[',
    ']',
  ],
  ...[
    '61',
    '24',
    'Mar',
    'mar',
    '31/Feb/2021',
    '05/Mar/2021:13:07:61.000',
    '.1',
    '.123456',
    '::1:80',
    'unix:1',
    'h a/b/c',
    ' 0/0/0/0 a/b/c',
    '[7]: ',
    '\u001b[0m',
    '\r',
  ],
];

/** A line in which some words are replaced by others. */
function changed(line: string, changes: readonly (readonly [place: number, piece: string])[]): string {
  const words = line.split(/([\s/:[\]{}"]+)/);
  for (const [place, piece] of changes) words[place % words.length] = piece;
  return words.join('');
}

/** Without the mark, and without the texts that are nothing then. */
function unmarked(message: Decoded | string): Decoded | string {
  if (typeof message === 'string') return message;
  const entries = Object.entries(message).map(
    ([name, value]) => [name, typeof value === 'string' ? value.replaceAll('é', '') : value] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== '-'));
}

test('lines that are read in place become what the patterns make of them', () => {
  const change = fc.tuple(fc.nat(200), fc.constantFrom(...PIECES));
  const line = fc.tuple(fc.constantFrom(...LINES), fc.array(change, { maxLength: 3 })).map(([text, changes]) => changed(text, changes));
  for (const config of [{}, { tz: 'Europe/Zurich', type: 'lb' }]) {
    const decode = decoder('haproxy', config);
    fc.assert(
      fc.property(line, (text) => {
        // Others are not read in place; a request with such a letter is left to the patterns.
        if (!text.endsWith('"')) return;
        const marked = text.replace(/("[^]*?)("?)$/, '$1é$2');
        expect(unmarked(decode(text))).toEqual(unmarked(decode(marked)));
      }),
      { numRuns: 500 },
    );
  }
});

test('each line has its own second, and the end of a line is none of its own', () => {
  const decode = decoder('haproxy');
  for (const second of ['07', '59', '00']) {
    const message = decode((LINES[0] as string).replace('13:07:59.655', `13:07:${second}.655`));
    expect(message).toMatchObject({ Timestamp: `${1_614_949_620 + Number(second)}655000000`, Hostname: 'box1', Pid: 14389, status: 200 });
  }
  expect(decode(`${LINES[2]}\r\n`)).toEqual(decode(LINES[2] as string));
  expect(decode((LINES[2] as string).slice(0, -1))).toMatchObject({ request: '<BADREQ>' });
});
