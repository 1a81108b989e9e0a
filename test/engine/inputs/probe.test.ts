import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markLength, probe, utf16Length, utf16ToUtf8, wholeUtf16, type Probe } from '../../../engine/inputs/probe.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const TEXT: Probe = { kind: 'text', encoding: 'utf-8', bom: 0 };

describe('probe', () => {
  it.each<[name: string, head: Buffer, found: Probe]>([
    ['nothing', Buffer.alloc(0), TEXT],
    ['a line', Buffer.from('line é\n'), TEXT],
    ['a mark of UTF-8', Buffer.from('\ufeffa'), { kind: 'text', encoding: 'utf-8', bom: 3 }],
    ['a mark of UTF-16', latin('\xff\xfea\0'), { kind: 'text', encoding: 'utf-16le', bom: 2 }],
    ['the other mark of UTF-16', latin('\xfe\xff\0a'), { kind: 'text', encoding: 'utf-16be', bom: 2 }],
    ['UTF-16 without a mark', Buffer.from('a line of text', 'utf16le'), { kind: 'text', encoding: 'utf-16le', bom: 0 }],
    ['the other UTF-16', Buffer.from('a line of text', 'utf16le').swap16(), { kind: 'text', encoding: 'utf-16be', bom: 0 }],
    ['gzip', latin('\x1f\x8b\x08'), { kind: 'compressed', format: 'gzip' }],
    ['zstd', latin('\x28\xb5\x2f\xfd'), { kind: 'compressed', format: 'zstd' }],
    ['bzip2', latin('BZh91AY&SY'), { kind: 'compressed', format: 'bzip2' }],
    ['a text that begins like bzip2', latin('BZh91AY, a name\n'), TEXT],
    ['lzma', latin(`]\0\0\x80\0${'\xff'.repeat(8)}\0`), { kind: 'compressed', format: 'lzma' }],
    ['xz', latin('\xfd7zXZ\0'), { kind: 'compressed', format: 'xz' }],
    ['lz4', latin('\x04\x22\x4d\x18'), { kind: 'compressed', format: 'lz4' }],
    ['zip', latin('PK\x03\x04'), { kind: 'archive', format: 'zip' }],
    ['tar', latin(`${'a'.repeat(257)}ustar`), { kind: 'archive', format: 'tar' }],
    ['holes', latin(`a\n${'\0'.repeat(100)}b\n`), TEXT],
    ['carriage returns', latin('a\rb\r'), { ...TEXT, lineEnd: 13 }],
    ['a mark of UTF-8 and carriage returns', latin('\xef\xbb\xbfa\rb\r'), { ...TEXT, bom: 3, lineEnd: 13 }],
    ['NUL between lines', latin('a\0b\0'), { ...TEXT, lineEnd: 0 }],
    ['carriage returns with line feeds', latin('a\rb\r\n'), TEXT],
    ['ends of texts', latin('a\0\nb\0\r\n'), TEXT],
    ['bytes of clients', latin(`${'GET / HTTP/1.1 200\n'.repeat(20)}\x16\x03\0x\n`), TEXT],
    ['a journal', latin('__CURSOR=x\nMESSAGE\n\x03\0\0\0'), TEXT],
  ])('%s', (_, head, found) => expect(probe(head)).toEqual(found));

  it.each<[head: Buffer, what: string]>([
    [latin('7z\xbc\xaf\x27\x1c'), 'a 7z archive'],
    [latin('LPKSHHRH'), 'a systemd journal'],
    [latin('\x7fELF\x02'), 'a program'],
    [latin('PAR1'), 'a Parquet file'],
    [latin('\xff\xfe\0\0a\0\0\0'), 'text in UTF-32'],
    [latin('\0\0\xfe\xff\0\0\0a'), 'text in UTF-32'],
    [latin('ab\0cd\x01\x02\x03'), 'a binary file'],
  ])('%j is %s', (head, what) => {
    const found = probe(head);
    expect(found).toMatchObject({ kind: 'binary', what });
    expect(found.kind === 'binary' && found.advice).not.toBe('');
  });
});

describe('UTF-16', () => {
  it('becomes UTF-8 of as many units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
        const little = Buffer.from(text, 'utf16le');
        const utf8 = utf16ToUtf8(little, 'utf-16le');
        expect(utf8.toString()).toBe(text.toWellFormed());
        expect(utf16ToUtf8(Buffer.from(little).swap16(), 'utf-16be')).toEqual(utf8);
        expect(utf16Length(utf8)).toBe(little.length);
      }),
    );
  });

  it('may begin with a mark', () => {
    expect([
      markLength(latin('\xff\xfea'), 'utf-16le'),
      markLength(latin('\xff\xfea'), 'utf-16be'),
      markLength(latin('\xef\xbb\xbf'), 'utf-8'),
    ]).toEqual([2, 0, 3]);
  });
});

describe('whole characters of UTF-16', () => {
  it.each(['utf-16le', 'utf-16be'] as const)('%s: no pair is cut through', (encoding) => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-composite', maxLength: 10 }), fc.nat(40), (text, cut) => {
        const bytes = Buffer.from(text, 'utf16le');
        const part = (encoding === 'utf-16le' ? bytes : bytes.swap16()).subarray(0, cut);
        const whole = wholeUtf16(part, encoding);
        expect(part.length - whole).toBeLessThan(4);
        const units = encoding === 'utf-16le' ? Buffer.from(part.subarray(0, whole)) : Buffer.from(part.subarray(0, whole)).swap16();
        expect(text.startsWith(units.toString('utf16le'))).toBe(true);
        expect(units.toString('utf16le').isWellFormed()).toBe(true);
      }),
    );
  });
});
