import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SplitOptions } from '../../../../engine/inputs/splitters/index.ts';
import { splitChunks, chunksOf } from './fixtures.ts';

const JOURNAL: SplitOptions = { kind: 'journal' };

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
