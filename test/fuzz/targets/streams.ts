import { isDeepStrictEqual } from 'node:util';
import { deflateSync } from 'node:zlib';
import { SyslogFraming } from '../../../engine/inputs/net/framing.ts';
import type { Records } from '../../../engine/inputs/net/records.ts';
import { SingleRecords } from '../../../engine/inputs/net/single-records.ts';
import { RecordStream } from '../../../engine/inputs/record-stream.ts';
import { makeSplitter, type SplitOptions } from '../../../engine/inputs/splitters/index.ts';
import type { Target } from '../campaign.ts';

const MAX_RECORD = 64;

function cutBy(split: SplitOptions, bytes: Uint8Array, size: number): string[] {
  const stream = new RecordStream(makeSplitter(split, MAX_RECORD));
  const records: string[] = [];
  const take = (chunk: Uint8Array, outlook: 'more' | 'end'): void => {
    for (const { piece } of stream.push(chunk, outlook)) {
      const { text, starts, ends } = piece.payload;
      for (let i = 0; i < piece.count; i++) records.push(text.slice(starts[i], ends[i]));
    }
  };
  for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size), 'more');
  take(new Uint8Array(0), 'end');
  return records;
}

export const lines: Target = {
  name: 'lines',
  seeds: [
    Buffer.from('one\r\ntwo\n\n\0\0three\r'),
    Buffer.from('gr\xf6\xdfe\nGröße \u{1f600}\n', 'latin1'),
    Buffer.from(`${'x'.repeat(100)}\nshort\n`),
  ],
  words: ['\r\n', '\r', '\0', '\n\n', 'ö', '\u{1f600}', 'x'.repeat(66)],
  run(bytes) {
    const whole = cutBy({ kind: 'line' }, bytes, Math.max(1, bytes.length));
    if (!isDeepStrictEqual(cutBy({ kind: 'line' }, bytes, 5), whole)) throw new Error('a file in pieces has other lines');
    for (const record of whole)
      if (record.includes('\n') || record.length > MAX_RECORD) throw new Error(`a line is ${JSON.stringify(record)}`);
    return `${Math.min(whole.length, 4)} ${whole.some((record) => record.includes('\ufffd'))}`;
  },
};

const DELIMITERS: readonly SplitOptions[] = [
  { kind: 'regex', pattern: '\\n+' },
  { kind: 'regex', pattern: '(;)' },
  { kind: 'regex', pattern: '\\n(# Q:)', delimiterEol: false },
  { kind: 'none' },
];

export const records: Target = {
  name: 'records between delimiters',
  seeds: [Buffer.from('# Q: 1\nx\n# Q: 2\ny;z;\n\n'), Buffer.from('a;b;größe\xff;', 'latin1'), Buffer.from('y'.repeat(70))],
  words: ['\n# Q:', ';', '\n\n', 'ö', '\xff', 'y'.repeat(66)],
  run(bytes) {
    return DELIMITERS.map((split) => {
      const found = cutBy(split, bytes, 5).length;
      cutBy(split, bytes, Math.max(1, bytes.length));
      return Math.min(found, 3);
    }).join();
  },
};

function framed(bytes: Uint8Array, size: number, singles: boolean): { readonly records: string[]; readonly faults: string } {
  const records: string[] = [];
  const faults = new Set<string>();
  const take = (buffer: Buffer, { starts, ends, count }: Records): void => {
    for (let i = 0; i < count; i++) {
      const [start, end] = [starts[i] as number, ends[i] as number];
      if (end > buffer.length || end <= start || end - start > MAX_RECORD) throw new Error(`a record of bytes ${start} to ${end}`);
      records.push(buffer.toString('latin1', start, end));
    }
  };
  const unpacked = new SingleRecords(MAX_RECORD);
  const fault = (what: string): void => void faults.add(what);
  const framing = new SyslogFraming(
    MAX_RECORD,
    (buffer, found) => (singles ? unpacked.push(buffer, found, take, fault) : take(buffer, found)),
    fault,
    { singles },
  );
  for (let at = 0; at < bytes.length; at += size) framing.push(Buffer.from(bytes.subarray(at, at + size)));
  framing.end();
  return { records, faults: [...faults].join() };
}

export const syslog: Target = {
  name: 'streams of syslog',
  seeds: [
    Buffer.from('7 <13>one7 <13>two\n8 <13>\nend'),
    Buffer.from('<13>one\n<13>two\r\n\0'),
    Buffer.from('99999999999 <13>x\n70 <13>cut'),
  ],
  words: ['8 <', '16777217 ', '\0', '\n', '\r\n', '<13>', '0 ', '<'.repeat(70)],
  run(bytes) {
    const { records: found, faults } = framed(bytes, 9, false);
    return `${Math.min(found.length, 4)} ${faults}`;
  },
};

const packed = (text: string): string => Buffer.concat([Buffer.from('z'), deflateSync(text)]).toString('latin1');
const countedPacked = (text: string): string => `${packed(text).length} ${packed(text)}`;

export const singles: Target = {
  name: 'streams of syslog with messages that are packed one by one',
  seeds: [
    Buffer.from(`<13>one\n${countedPacked('<13>two')}7 <13>two${countedPacked('x'.repeat(100))}`, 'latin1'),
    Buffer.from(`${countedPacked('<13>a\nb')}<13>c\0${countedPacked('')}5 zebra\n`, 'latin1'),
  ],
  words: ['8 z', '16777217 zx\x9c', '\0', '\n', packed('a'), countedPacked('b'), '0 ', '70 zx\x01'],
  run(bytes) {
    const { records: found, faults } = framed(bytes, 9, true);
    framed(bytes, Math.max(1, bytes.length), true);
    return `${Math.min(found.length, 4)} ${faults}`;
  },
};
