import fc from 'fast-check';
import { expect, test } from 'vitest';
import { logWords } from '../../../plugins/modules/log_words.ts';
import { expectLinear } from '../../growth.ts';

test.each<[line: string, words: string]>([
  ['Accepted publickey for bob', 'Accepted publickey for bob'],
  ['  tabs\tand \r\n blanks ', 'tabs and blanks'],
  ['port 4411 pid -7 +3 1,234.50 99%', 'port <num> pid <num> <num> <num> <num>%'],
  ['took 12ms of 5.5MB, 3x', 'took <num>ms of <num>MB, <num>x'],
  ['eth0 sha256 v2 x86_64 utf-8', 'eth0 sha256 v2 x86_64 utf-<num>'],
  ['192.0.2.7:8080 [10.0.0.1] 1.2.3', '<ip>:<num> [<ip>] <num>'],
  ['2001:db8::1 fe80::1ff:fe23:4567:890a%eth0', '<ip> <ip>%eth0'],
  ['MAC=52:54:00:12:34:56 from 52:54:00:12:34:56:08:00', 'MAC=<mac> from <mac>'],
  ['at 10:11:12.345 on 2021-03-05, 2021-03-05T13:07:59.25+01:00', 'at <time> on <time>, <time>'],
  ['[17/Mar/2026:22:29:20 +0000] 1:2:3:4', '[<time> <num>] <num>:<num>:<num>:<num>'],
  ['1:2:3:4:5:6:7:8 fe80:: 2001:db8::1:2', '<ip> <ip> <ip>'],
  ['id 550e8400-e29b-41d4-a716-446655440000 0xDEADbeef 9e107d9d372bb6826bd81d3542a419d6', 'id <uuid> <hex> <hex>'],
  ['FC2C041E21: removed pid=12345678 1234567f', '<hex>: removed pid=<num> <hex>'],
  ['deadbeefdeadbeefdeadbeef', 'deadbeefdeadbeefdeadbeef'],
  ['user=alice n=5 (took:3) sshd[4411]:', 'user=alice n=<num> (took:<num>) sshd[<num>]:'],
  ['/var/log/app.1.gz /a/17/b', '/var/log/app.1.gz /a/<num>/b'],
  ['', ''],
  ['é 1', 'é <num>'],
])('%j', (line, words) => {
  expect(logWords(line).join(' ')).toBe(words);
});

test('a long line is bounded', () => {
  expect(logWords('word '.repeat(10_000))).toHaveLength(128);
  expect(logWords(`a ${'1'.repeat(100_000)}x`).join(' ').length).toBeLessThanOrEqual(4096);
});

test('hostile words take no time', () => {
  for (const piece of ['1.', '1', 'a1', '1:', '::', '0x', '-', 'f1', '1,', '12:34:']) {
    expectLinear((count) => void logWords(piece.repeat(count) + 'é'), 4096, piece);
  }
});

test('words hold no white space, and masks hold no digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'f', '1', '0', '.', ':', '-', ' ', 'x', '=', '\t') }), (line) => {
      const words = logWords(line);
      for (const word of words) expect(word).toMatch(/^\S+$/);
      expect(words).toHaveLength(line.split(/\s+/).filter((word) => word !== '').length);
    }),
  );
});

/** All that varies, in one expression. */
const FORMS: readonly (readonly [name: string, form: string])[] = [
  ['<uuid>', '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?!\\w)'],
  ['<time>', '\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[T:]\\d{2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:Z|[-+]\\d{2}:?\\d{2})?)?(?!\\w)'],
  ['<time>', '\\d{1,2}/[a-z]{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2}(?!\\w)'],
  ['<time>', '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?![\\w:])'],
  ['<ip>', '\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])'],
  ['<mac>', '(?:[\\da-f]{2}:){5,}[\\da-f]{2}(?![\\w:])'],
  ['<ip>', '(?:(?:[\\da-f]{1,4}:){7}[\\da-f]{1,4}|(?:[\\da-f]{1,4}:){1,6}(?::[\\da-f]{1,4}){1,6}|(?:[\\da-f]{1,4}:){1,7}:)(?![\\w:])'],
  ['<hex>', '(?:0x[\\da-f]+|(?=\\d*[a-f])(?=[a-f]*\\d)[\\da-f]{8,})(?!\\w)'],
  ['<num>', '[-+]?\\d+(?:[.,]\\d+)*(?=[a-zµ%]{0,3}(?!\\w))'],
];
const VARIABLE = new RegExp(`(?<![\\w.])(?=[\\da-f+-])(?:${FORMS.map(([, form]) => `(${form})`).join('|')})`, 'gi');

function plainWords(line: string): string[] {
  const name = (_: string, ...groups: (string | undefined)[]): string => FORMS[groups.findIndex((group) => group !== undefined)]?.[0] ?? '';
  const words = line.split(/[\t ]+/).filter((word) => word !== '');
  return words.map((word) => (/\d/.test(word) ? word.replace(VARIABLE, name) : word));
}

test('words are as one expression has them', () => {
  const pieces = [
    ...['192.0.2.7', '10:11:12.345', '2021-03-05', 'T13:07:59', '+01:00', 'Z', '550e8400-e29b-41d4-a716-446655440000', '0xDEAD'],
    ...['9e107d9d372bb6826bd81d3542a419d6', '52:54:00:12:34:56', 'fe80::', '2001:db8::1', '17/Mar/2026:22:29:20', '12ms', '1,234.50', 'µs'],
    ...['12345678', 'abcdef', 'ab12cd34', '::', '0x', ...'0129afAFgxXzZ_.,:-+/%µμΜ[]()= \té"'],
  ];
  const lines = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(lines, (line) => {
      expect(logWords(line)).toEqual(plainWords(line));
    }),
    { numRuns: 2000 },
  );
});
