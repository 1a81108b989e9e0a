import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SyslogFraming, type StreamFault } from '../../../../engine/inputs/net/framing.ts';
import { inflateSync } from 'node:zlib';
import { isSingle } from '../../../../engine/inputs/net/zlib.ts';
import { counted, countedSingle, single } from './net-fixtures.ts';

/** A packed message comes as its text behind a star. */
function frame(chunks: readonly (string | Uint8Array)[], maxRecord = 65_536, options = {}): { records: string[]; faults: StreamFault[] } {
  const records: string[] = [];
  const faults: StreamFault[] = [];
  const framing = new SyslogFraming(
    maxRecord,
    (bytes, { starts, ends, count }) => {
      for (let i = 0; i < count; i++) {
        const record = bytes.subarray(starts[i], ends[i]);
        records.push(isSingle(record, 0, record.length) ? `*${inflateSync(record.subarray(1)).toString()}` : record.toString());
      }
    },
    (fault) => faults.push(fault),
    options,
  );
  for (const chunk of chunks) framing.push(Buffer.from(chunk));
  framing.end();
  return { records, faults };
}

const bytesOf = (data: string | Buffer): Uint8Array[] => [...Buffer.from(data)].map((byte) => Uint8Array.of(byte));

describe('framing of syslog streams', () => {
  const cases: [title: string, data: string, records: string[], faults: StreamFault[]][] = [
    ['lines', '<13>one\n<13>two\n', ['<13>one', '<13>two'], []],
    ['lines of Windows', '<13>one\r\n<13>two\r\n', ['<13>one', '<13>two'], []],
    ['an unfinished last line', '<13>one\n<13>two', ['<13>one', '<13>two'], []],
    ['empty lines', '\n\n<13>one\n\r\n\n', ['<13>one'], []],
    ['NUL', '<13>one\0<13>two\0', ['<13>one', '<13>two'], []],
    ['a line end and NUL', '<13>one\n\0<13>two\n\0', ['<13>one', '<13>two'], []],
    ['octet counting', counted('<13>one') + counted('<13>två') + counted('<13>th\nree'), ['<13>one', '<13>två', '<13>th\nree'], []],
    ['octet counting with line ends', `${counted('<13>one')}\n${counted('<13>two')}\r\n`, ['<13>one', '<13>two'], []],
    ['line ends inside the count', `${counted('<13>one\n')}${counted('<13>two\n')}`, ['<13>one', '<13>two'], []],
    ['octet counting that ends too early', `${counted('<13>one')}50 <13>two`, ['<13>one', '<13>two'], []],
    ['a wrong count', `${counted('<13>one')}<13>two\n${counted('<13>three')}`, ['<13>one', '<13>two', '<13>three'], ['framing']],
    [
      'a huge count',
      `${counted('<13>one')}99999999999 <13>x\n${counted('<13>three')}`,
      ['<13>one', '99999999999 <13>x', '<13>three'],
      ['framing'],
    ],
    ['lines that begin with numbers', '2026 was\n12 a\n', ['2026 was', '12 a'], []],
    ['only a number', '123', ['123'], []],
    ['nothing', '', [], []],
  ];
  it.each(cases)('%s', (_title, data, records, faults) => {
    const whole = frame([data]);
    expect(whole).toEqual({ records, faults });
    const single = frame(bytesOf(data));
    // Byte by byte, a line end comes before the NUL that would tell.
    expect(single.records).toEqual(records);
    expect(new Set(single.faults)).toEqual(new Set(faults));
  });

  it('NUL framing keeps line ends inside', () => {
    expect(frame(['<13>one\nmore\0<13>two\0']).records).toEqual(['<13>one\nmore', '<13>two']);
  });

  it.each([
    ['lines', `<1>${'x'.repeat(50)}\n<1>ok\n`],
    ['counted', counted(`<1>${'x'.repeat(50)}`) + counted('<1>ok')],
    ['counted, characters across the limit', counted(`<1>xxxxxx${'€'.repeat(20)}`) + counted('<1>ok')],
  ])('cuts what is too long: %s', (_title, data) => {
    const found = frame([data], 10);
    expect(found.records).toEqual([data.includes('€') ? '<1>xxxxxx' : '<1>xxxxxxx', '<1>ok']);
    expect(found.faults).toEqual(['truncated']);
    expect(frame(bytesOf(data), 10)).toEqual(found);
  });

  it('gives back any messages whatever the chunks are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', ' ', '7', '<'), maxLength: 20 }).map((body) => `<1>${body}.`);
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat(30)), (messages, sizes) => {
        const data = Buffer.from(messages.map(counted).join(''));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of [...sizes, data.length]) chunks.push(data.subarray(at, (at += size)));
        expect(frame(chunks)).toEqual({ records: messages, faults: [] });
      }),
    );
  });

  it('gives back any lines whatever the chunks are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '7', '<'), maxLength: 40 }).map((body) => `<1>${body}.`);
    fc.assert(
      fc.property(fc.array(text), fc.constantFrom('\n', '\r\n', '\0'), fc.array(fc.nat(30)), (lines, lineEnd, sizes) => {
        const data = Buffer.from(lines.map((line) => line + lineEnd).join(''));
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of [...sizes, data.length]) chunks.push(data.subarray(at, (at += size)));
        expect(frame(chunks, 20)).toEqual(frame([data], 20));
        expect(frame(chunks)).toEqual({ records: lines, faults: [] });
      }),
    );
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (chunks) => {
        for (const record of frame(chunks, 16).records) expect(record).not.toBe('');
      }),
    );
  });
});

describe('framing of messages that are packed one by one', () => {
  const singles = (chunks: readonly (string | Uint8Array)[], maxRecord = 65_536): ReturnType<typeof frame> =>
    frame(chunks, maxRecord, { singles: true });
  const joined = (...parts: (string | Buffer)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)));
  const long = `<13>${'x'.repeat(3000)}`;

  it.each<[title: string, data: Buffer, records: string[], faults?: StreamFault[]]>([
    ['alone', countedSingle('<13>one'), ['*<13>one']],
    [
      'among lines',
      joined('<13>a\n', countedSingle('<13>one'), '<13>b\r\n', countedSingle('<13>two'), '<13>c'),
      ['<13>a', '*<13>one', '<13>b', '*<13>two', '<13>c'],
    ],
    ['among counted ones', joined(counted('<13>a\nb'), countedSingle('<13>one'), counted('<13>c')), ['<13>a\nb', '*<13>one', '<13>c']],
    ['among records that end with NUL', joined('<13>a b\0', countedSingle('<13>one'), '<13>c\nd\0'), ['<13>a b', '*<13>one', '<13>c\nd']],
    [
      'behind a line that begins with a number',
      joined('12 zebras\n7 z\n5\n', countedSingle('<13>one')),
      ['12 zebras', '7 z', '5', '*<13>one'],
    ],
    [
      'behind a line that is too long',
      joined(`<13>${'y'.repeat(200)}\n`, countedSingle('<13>one')),
      [`<13>${'y'.repeat(96)}`, '*<13>one'],
      ['truncated'],
    ],
    ['that is too long itself', joined(`${200} zx\u0001`, 'q'.repeat(197), countedSingle('<13>one')), ['*<13>one'], ['packed']],
    ['with a count that is too large', joined('99999999 <13>x\n', countedSingle('<13>one')), ['99999999 <13>x', '*<13>one'], ['framing']],
  ])('%s', (_title, data, records, faults = []) => {
    expect(singles([data], 100)).toEqual({ records, faults });
    const inBytes = singles(bytesOf(data), 100);
    expect([inBytes.records, [...new Set(inBytes.faults)]]).toEqual([records, faults]);
  });

  it('keeps the last bytes of a packed message, which may look like line ends', () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `<13>${i} ${'a'.repeat(i % 50)}`);
    const ends = texts.filter((text) => [0, 10, 13].includes(single(text).at(-1) ?? -1));
    expect(ends.length).toBeGreaterThan(5);
    expect(singles([joined(...ends.map(countedSingle))]).records).toEqual(ends.map((text) => `*${text}`));
  });

  it('gives back any mixture whatever the chunks are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '7', '<', 'z'), maxLength: 20 }).map((body) => `<1>${body}.`);
    const part = fc.record({ text, how: fc.constantFrom('line', 'counted', 'single') });
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(60)), (parts, sizes) => {
        const data = joined(
          ...parts.map(({ text: of, how }) => (how === 'line' ? `${of}\n` : how === 'counted' ? counted(of) : countedSingle(of))),
        );
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const size of [...sizes, data.length]) chunks.push(data.subarray(at, (at += size)));
        expect(singles(chunks)).toEqual({ records: parts.map(({ text: of, how }) => (how === 'single' ? `*${of}` : of)), faults: [] });
      }),
    );
  });

  it('holds no more of a packed message that is too long than of others', () => {
    const data = joined('500000 z', single(long).subarray(1));
    expect(singles([data, Buffer.alloc(500_000 - data.length + 7, 'x'), '<13>ok\n'], 1000)).toEqual({
      records: ['<13>ok'],
      faults: ['packed'],
    });
  });

  it('leaves other streams as they are', () => {
    expect(frame([countedSingle('<13>one').subarray(0, 3), '\n']).faults).toEqual([]);
    expect(frame(['12 zebras\n']).records).toEqual(['12 zebras']);
  });
});
