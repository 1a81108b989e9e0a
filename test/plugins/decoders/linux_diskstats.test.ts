import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const text = (name: string, value: string) => ({ name, value: [value] });

describe('linux_diskstats', () => {
  const NAMES =
    'ReadsCompleted ReadsMerged SectorsRead TimeReading WritesCompleted WritesMerged SectorsWritten TimeWriting NumIOInProgress TimeDoingIO WeightedTimeDoingIO';
  const stats = (...numbers: number[]): Decoded => ({
    Type: 'stats.diskstats',
    ...Object.fromEntries(NAMES.split(' ').map((name, i) => [name, numbers[i]])),
  });
  const toEleven = stats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

  test.each([
    ['1 2 3 4 5 6 7 8 9 10 11\n', toEleven],
    ['\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\n', toEleven],
    ['12345678901 2 3 4 5 6 7 8 9 10 11\ntrailing', { ...toEleven, ReadsCompleted: 12345678901 }],
    ['1 2 3 4 5 6 7 8 9 10 11\n12\n', toEleven],
    ['1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n', toEleven],
    ['1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\nrest', toEleven],
  ])('%j', (content, expected) => {
    expect(decoder('linux_diskstats')(content)).toEqual(expected);
  });

  test('copies the file and the interval', () => {
    const line = '   20417     6120   812944    33108    15990     8843  1204412     7021        2     6190    40133\n';
    const fields = [text('FilePath', '/sys/block/sdb/stat'), { name: 'TickerInterval', value: [5] }];
    expect(decoder('linux_diskstats', { payload_keep: true })(line, fields)).toEqual({
      ...stats(20417, 6120, 812944, 33108, 15990, 8843, 1204412, 7021, 2, 6190, 40133),
      TickerInterval: 5,
      FilePath: '/sys/block/sdb/stat',
      Payload: line,
    });
  });

  test.each([
    '',
    'a\n',
    '1 2 3\n',
    '1 2 3 4 5 6 7 8 9 10 -11\n',
    '1 2 3 4 5 6 7 8 9 10 11',
    '1 2 3 4 5 6 7 8 9 10 11 \n',
    '1 2 3 4 5 6 7 8 9 10 11 12\n',
    '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15',
    '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 \n',
    '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n',
    '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n',
    '1 2 3 4 5 6 7 8 9 10 11 x\n',
  ])('refuses %j', (content) => {
    expect(decoder('linux_diskstats')(content)).toMatch(/^refused: /);
  });
});
