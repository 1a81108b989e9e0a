import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInteger } from '../../../engine/message/integer.ts';
import { randomUuid } from '../../../engine/message/random-uuid.ts';
import { formatTimestamp, parseTimestamp } from '../../../engine/message/timestamp.ts';
import { formatUuid, parseUuid } from '../../../engine/message/uuid.ts';
import { readUtf8, truncateUtf8, utf8Length, writeUtf8 } from '../../../engine/message/utf8.ts';
import { anyText, int64, uuid } from './arbitraries.ts';

describe('uuid', () => {
  it('gives back what it formatted, in any case and with a urn prefix', () => {
    fc.assert(
      fc.property(uuid, (bytes) => {
        const text = formatUuid(bytes);
        expect(text).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        for (const form of [text, text.toUpperCase(), `urn:uuid:${text}`, `URN:UUID:${text}`]) expect(parseUuid(form)).toEqual(bytes);
      }),
    );
  });

  it.each([
    '',
    'x',
    '00010203-0405-4607-8809-0a0b0c0d0e0',
    '00010203-0405-4607-8809-0a0b0c0d0e0f0',
    '000102030405460788090a0b0c0d0e0f',
    '0001020g-0405-4607-8809-0a0b0c0d0e0f',
    '{00010203-0405-4607-8809-0a0b0c0d0e0f}',
  ])('refuses %j', (text) => expect(parseUuid(text)).toBeNull());

  it('reads what has the form of RFC 9562, and nothing else', () => {
    const form = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
    const character = fc.oneof(fc.constantFrom(...'-0fFgG:/@`{', '\u0131', '\u0660', '\uff10', '\ud800'), anyText);
    const changed = fc
      .tuple(uuid, fc.constantFrom('', 'urn:uuid:', 'Urn:uUid:', 'urn:uuid'), fc.nat(45), fc.nat(2), character)
      .map(([bytes, prefix, at, count, text]) => {
        const whole = prefix + formatUuid(bytes);
        return whole.slice(0, at) + text + whole.slice(at + count);
      });
    fc.assert(
      fc.property(changed, (text) => {
        const digits = text.replace(/^urn:uuid:/i, '').replaceAll('-', '');
        expect(parseUuid(text)).toEqual(form.test(text) ? Uint8Array.from(Buffer.from(digits, 'hex')) : null);
      }),
      { numRuns: 2000 },
    );
  });

  it('makes random ones of version 4, variant 10', () => {
    for (let i = 0; i < 50; i++) expect(formatUuid(randomUuid())).toMatch(/^.{14}4.{4}[89ab]/);
  });
});

describe('parseInteger', () => {
  it.each<[string, bigint | null]>([
    ['123', 123n],
    ['-7', -7n],
    ['+7', 7n],
    ['0', 0n],
    ['-0', 0n],
    ['0x7b', 123n],
    ['0X7B', 123n],
    ['-0x10', -16n],
    ['0o17', 15n],
    ['017', 15n],
    ['0b101', 5n],
    ['00', 0n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', null],
    ['', null],
    [' 1', null],
    ['1.0', null],
    ['1e3', null],
    ['08', null],
    ['0x', null],
    ['--1', null],
    ['１', null],
  ])('%j is %s', (text, value) => expect(parseInteger(text, 64)).toBe(value));

  it.each<[string, bigint | null]>([
    ['2147483647', 2147483647n],
    ['2147483648', null],
    ['-2147483648', -2147483648n],
  ])('of 32 bits: %j is %s', (text, value) => expect(parseInteger(text, 32)).toBe(value));

  it('reads every int64', () => {
    fc.assert(fc.property(int64, (value) => parseInteger(String(value), 64) === value));
  });
});

describe('parseTimestamp', () => {
  const noon = 1614949679_000000000n; // 2021-03-05T13:07:59Z
  const hour = 3_600_000_000_000n;

  it.each<[string, bigint]>([
    ['123', 123n],
    ['0x7b', 123n],
    ['0173', 123n],
    ['-5', -5n],
    ['Fri Mar  5 13:07:59 2021', noon],
    ['Fri Mar 5 13:07:59 2021', noon],
    ['Fri Mar 15 13:07:59 2021', noon + 240n * hour],
    ['Fri Mar  5 13:07:59 UTC 2021', noon],
    ['Fri Mar  5 13:07:59 GMT 2021', noon],
    ['Fri Mar  5 13:07:59 EST 2021', noon + 5n * hour],
    ['Fri Mar 05 13:07:59 +0100 2021', noon - hour],
    ['05 Mar 21 13:07 UTC', noon - 59_000_000_000n],
    ['05 Mar 21 13:07 +0100', noon - 59_000_000_000n - hour],
    ['05 Mar 21 13:07 PDT', noon - 59_000_000_000n + 7n * hour],
    ['05 Mar 69 13:07 UTC', -26045580_000000000n],
    ['Friday, 05-Mar-21 13:07:59 UTC', noon],
    ['Fri, 05 Mar 2021 13:07:59 UTC', noon],
    ['Fri, 05 Mar 2021 13:07:59 +0100', noon - hour],
    ['Fri, 05 Mar 2021 13:07:59 -0130', noon + hour + hour / 2n],
    ['2021-03-05T13:07:59Z', noon],
    ['2021-03-05T13:07:59.25+01:00', noon - hour + 250_000_000n],
    ['2021-03-05T13:07:59.123456789Z', noon + 123_456_789n],
    ['2021-03-05T13:07:59.1234567899Z', noon + 123_456_789n],
    ['2020-02-29T00:00:00Z', 1582934400_000000000n],
    ['1969-12-31T23:59:59.5Z', -500_000_000n],
    ['2021-03-05T00:00:00+14:00', 1614852000_000000000n],
  ])('%j', (text, ns) => expect(parseTimestamp(text)).toBe(ns));

  it.each([
    '',
    'now',
    '1:07PM',
    'Mar  5 13:07:59',
    'Mar  5 13:07:59.123',
    '2021-03-05',
    '2021-03-05T13:07:59',
    '2021-03-05T24:00:00Z',
    '2021-03-05T13:60:00Z',
    '2021-03-05T13:07:60Z',
    '2021-02-29T00:00:00Z',
    '2021-13-01T00:00:00Z',
    '2021-00-01T00:00:00Z',
    '2021-03-05T13:07:59+24:00',
    'Fri Mar  5 13:07:59 XYZ 2021',
    'Fre Mar  5 13:07:59 2021',
    'Friday, 05-Mar-21 13:07:59 CONSTRUCTOR',
    'Fri Mar  0 13:07:59 2021',
    '9223372036854775808',
    '3000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    `${'1'.repeat(1000)}`,
  ])('refuses %j', (text) => expect(parseTimestamp(text)).toBeNull());

  it('reads what formatTimestamp wrote', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -9_000_000_000_000_000_000n, max: 9_000_000_000_000_000_000n }), (ns) => {
        expect(parseTimestamp(formatTimestamp(ns))).toBe(ns);
      }),
    );
  });

  it.each<[bigint, string]>([
    [0n, '1970-01-01T00:00:00Z'],
    [noon + 250_000_000n, '2021-03-05T13:07:59.250Z'],
    [noon + 1_000n, '2021-03-05T13:07:59.000001Z'],
    [noon + 1n, '2021-03-05T13:07:59.000000001Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
  ])('formats %s as %s', (ns, text) => expect(formatTimestamp(ns)).toBe(text));
});

describe('UTF-8', () => {
  it('writes what Node writes, and says how long it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const target = new Uint8Array(text.length * 3);
        const end = writeUtf8(text, target, 0);
        expect(Buffer.from(target.subarray(0, end))).toEqual(Buffer.from(text));
        expect(utf8Length(text)).toBe(end);
      }),
    );
  });

  it('reads any bytes as the Encoding Standard says', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const near = fc.array(fc.constantFrom(0x41, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          near.map((list) => Uint8Array.from(list)),
        ),
        (bytes) => {
          expect(readUtf8(bytes, 0, bytes.length)).toBe(decoder.decode(bytes));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads long texts', () => {
    const text = 'aé€\u{1f600}'.repeat(5000);
    const bytes = Buffer.from(text);
    expect(readUtf8(bytes, 0, bytes.length)).toBe(text);
  });

  it('cuts at the last character that fits', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, max) => {
        const cut = truncateUtf8(text, max);
        expect(text.startsWith(cut)).toBe(true);
        expect(utf8Length(cut)).toBeLessThanOrEqual(max);
        const next = String.fromCodePoint(...[...text.slice(cut.length)].slice(0, 1).map((char) => char.codePointAt(0) as number));
        if (next !== '') expect(utf8Length(cut) + utf8Length(next)).toBeGreaterThan(max);
      }),
    );
  });
});
