import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Records } from '../../../../engine/inputs/net/records.ts';
import { SingleRecords } from '../../../../engine/inputs/net/single-records.ts';
import { single } from './net-fixtures.ts';

/** Result of these records, in the calls in which they come, and the faults. */
function unpack(parts: readonly (string | Buffer)[], maxRecord?: number): { calls: string[][]; faults: string[]; bytes: number } {
  const records = new Records();
  const bytes = Buffer.concat(parts.flatMap((part) => [Buffer.from(part), Buffer.from('|')]));
  let at = 0;
  for (const part of parts) {
    const { length } = Buffer.from(part);
    records.add(at, at + length);
    at += length + 1;
  }
  const calls: string[][] = [];
  const faults: string[] = [];
  const singles = new SingleRecords(maxRecord);
  singles.push(
    bytes,
    records,
    (text, { starts, ends, count }) => calls.push(Array.from({ length: count }, (_, i) => text.toString('utf8', starts[i], ends[i]))),
    (fault) => faults.push(fault),
  );
  return { calls, faults, bytes: singles.unpackedBytes };
}

describe('records that are packed one by one', () => {
  it.each<[title: string, parts: (string | Buffer)[], calls: string[][], faults?: string[]]>([
    ['none', [], []],
    ['plain ones in one go', ['a', 'b'], [['a', 'b']]],
    ['in their order among plain ones', ['a', 'b', single('c'), single('d'), 'e', single('f')], [['a', 'b'], ['c'], ['d'], ['e'], ['f']]],
    ['without what is around them', [single('one\r\n'), single('\0two\0')], [['one'], ['two']]],
    ['with nothing in them', [single(''), single('\n'), 'a'], [['a']]],
    ['with line ends inside', [single('a\nb\n')], [['a\nb']]],
    ['that begin with z unpacked', [single('zebra'), 'zebra'], [['zebra'], ['zebra']]],
    ['damaged, and what is around them', ['a', Buffer.from('zx\u0001damaged'), 'b'], [['a'], ['b']], ['packed']],
    ['cut off', [single('one').subarray(0, -2), single('two')], [['two']], ['packed']],
    ['with a wrong checksum', [Buffer.concat([single('one').subarray(0, -1), Buffer.from([0])])], [], ['packed']],
    ['that are longer than records may be', [single(`abcd${'€'.repeat(9)}`)], [['abcd€€']], ['truncated']],
  ])('%s', (_title, parts, calls, faults = []) => {
    expect(unpack(parts, 11)).toMatchObject({ calls, faults });
  });

  it('of 1 MiB are taken, and no bombs', () => {
    const largest = 'x'.repeat(1 << 20);
    expect(unpack([single(largest)])).toMatchObject({ calls: [[largest]], faults: [], bytes: 1 << 20 });
    const bomb = Buffer.concat([Buffer.from('z'), deflateSync(Buffer.alloc(60 << 20))]);
    expect(unpack([bomb, 'a', bomb])).toEqual({ calls: [['a']], faults: ['packed', 'packed'], bytes: 0 });
  });
});
