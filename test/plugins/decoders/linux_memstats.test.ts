import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

const text = (name: string, value: string) => ({ name, value: [value] });

describe('linux_memstats', () => {
  const kB = (value: number): [number, string] => [value, 'kB'];

  test.each([
    [
      'MemTotal:        2048000 kB\nActive(anon):    10 kB\nHugePages_Total:       3\n',
      { MemTotal: kB(2048000), 'Active(anon)': kB(10), HugePages_Total: [3, ''] },
    ],
    ['MemFree:   77 kB\nMemFree:   78 kB\n', { MemFree: kB(78) }],
    ['MemFree:   77 kB\nMemFree:   78\n', { MemFree: [78, ''] }],
    ['MemTotal: 5 kB\nbroken line\nMemFree: 6 kB\n', { MemTotal: kB(5), 'broken line\nMemFree': kB(6) }],
    ['MemTotal: 5 kB\nMemFree: 6 MB\n', { MemTotal: kB(5) }],
    ['MemTotal: 5 kB\nMemFree: 6 kB', { MemTotal: kB(5) }],
    ['MemTotal: 5 kB\nMemFree: 6', { MemTotal: kB(5) }],
    ['constructor: 5 kB\n', { constructor: kB(5) }],
  ])('%j', (content, expected) => {
    expect(decoder('linux_memstats')(content)).toEqual({ Type: 'stats.memstats', ...expected });
  });

  test('copies the file', () => {
    const decode = decoder('linux_memstats', { payload_keep: true });
    const expected = { Type: 'stats.memstats', A: kB(1), FilePath: '/proc/meminfo', Payload: 'A: 1 kB\n' };
    expect(decode('A: 1 kB\n', [text('FilePath', '/proc/meminfo')])).toEqual(expected);
  });

  test.each(['', 'MemTotal: 5 MB\n', 'MemTotal: 5 kB', 'A:1 kB\n', 'A: 5  kB\n', 'A: -5 kB\n', ': 5 kB\n', 'A:', 'A: ', 'garbage'])(
    'refuses %j',
    (content) => {
      expect(decoder('linux_memstats')(content)).toBe('refused: no line with a name and a number');
    },
  );
});
