import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SyslogFraming, type StreamFault } from '../../../../engine/inputs/net/framing.ts';
import { counted } from './net-fixtures.ts';

function frame(chunks: readonly (string | Uint8Array)[], maxRecord = 65_536): { records: string[]; faults: StreamFault[] } {
  const records: string[] = [];
  const faults: StreamFault[] = [];
  const framing = new SyslogFraming(
    maxRecord,
    (bytes, { starts, ends, count }) => {
      for (let i = 0; i < count; i++) records.push(bytes.toString('utf8', starts[i], ends[i]));
    },
    (fault) => faults.push(fault),
  );
  for (const chunk of chunks) framing.push(Buffer.from(chunk));
  framing.end();
  return { records, faults };
}

const bytesOf = (text: string): Uint8Array[] => [...Buffer.from(text)].map((byte) => Uint8Array.of(byte));

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
