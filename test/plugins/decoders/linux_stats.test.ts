import { readFileSync, readdirSync } from 'node:fs';
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

describe('linux_loadavg', () => {
  const stats = (...numbers: number[]): Decoded => ({
    Type: 'stats.loadavg',
    ...Object.fromEntries(['1MinAvg', '5MinAvg', '15MinAvg', 'NumProcesses'].map((name, i) => [name, numbers[i]])),
  });

  test.each([
    ['0.20 0.18 0.12 1/80 11206\n', stats(0.2, 0.18, 0.12, 1)],
    ['12.00 1.5 0.12 10/1080 11206\n', stats(12, 1.5, 0.12, 10)],
    ['0.00 0.00 0.00 0/1 1', stats(0, 0, 0, 0)],
    ['0.20\t0.18\t0.12\t1/80\t11206\n', stats(0.2, 0.18, 0.12, 1)],
    ['0.20 0.18 0.12 1/80 11206 extra\n', stats(0.2, 0.18, 0.12, 1)],
  ])('%j', (content, expected) => {
    expect(decoder('linux_loadavg')(content)).toEqual(expected);
  });

  test('copies the file', () => {
    const decode = decoder('linux_loadavg', { payload_keep: true });
    const expected = { ...stats(0.2, 0.18, 0.12, 1), FilePath: '/proc/loadavg', Payload: '0.20 0.18 0.12 1/80 11206\n' };
    expect(decode('0.20 0.18 0.12 1/80 11206\n', [text('FilePath', '/proc/loadavg')])).toEqual(expected);
  });

  test.each([
    '',
    '1 1 1 1/80 11206\n',
    '0.20  0.18 0.12 1/80 11206\n',
    '0.20 0.18 0.12 1/80\n',
    '0.20 0.18 0.12 1/80',
    '0.20 0.18 0.12 1/80 ',
    '0.20 0.18 0.12 180 11206\n',
    '0.20 0.18 0.12',
    '1.5 2.5 3.5 a/b 5\n',
  ])('refuses %j', (content) => {
    expect(decoder('linux_loadavg')(content)).toMatch(/^refused: /);
  });
});

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

describe('linux_procstat', () => {
  test.each([
    [
      'cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4\nintr 500 1 2\nctxt 115315\nbtime 1600000000\nprocesses 86031\nprocs_running 6\nprocs_blocked 2\nsoftirq 288977 23 101952\n',
      {
        ...{ cpu: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100], cpu0: [1, 2, 3, 4], intr: [500, 1, 2], ctxt: 115315, btime: 1600000000 },
        ...{ processes: 86031, procs_running: 6, procs_blocked: 2, softirq: [288977, 23, 101952] },
      },
    ],
    ['cpu 1 2 3\nbad-line x\n', { cpu: [1, 2, 3] }],
    ['cpu  1 2 3 4\n\ncpu0 1 2 3 4\n', { cpu: [1, 2, 3, 4], cpu0: [1, 2, 3, 4] }],
    ['ctxt 5', { ctxt: 5 }],
    ['ctxt 5 \nbtime 6\n', { ctxt: 5, btime: 6 }],
    ['page 5 6\nswap 1 0\ndisk_io: (1,2)\n', { page: [5, 6], swap: [1, 0] }],
    ['cpu 1.5 2\nbtime 6\n', { cpu: 1 }],
    ['cpu 1 x\nbtime 6\n', { cpu: 1 }],
    ['cpu 1 2\ncpu 3\n', { cpu: 3 }],
  ])('%j', (content, expected) => {
    expect(decoder('linux_procstat')(content)).toEqual({ Type: 'stats.proc', ...expected });
  });

  test('keeps the content', () => {
    expect(decoder('linux_procstat', { payload_keep: true })('a 1\n')).toEqual({ Type: 'stats.proc', a: 1, Payload: 'a 1\n' });
  });

  test.each(['', '\n', 'cpu\t1 2\n', 'ctxt x\n', 'ctxt\n', ' cpu 1\n', 'cpu'])('refuses %j', (content) => {
    expect(decoder('linux_procstat')(content)).toBe('refused: no line with a name and numbers');
  });
});

/** Files of this machine, where it has them. */
function realFiles(): [decoder: string, path: string, field: string][] {
  const files: [string, string, string][] = [
    ['linux_loadavg', '/proc/loadavg', 'NumProcesses'],
    ['linux_memstats', '/proc/meminfo', 'MemTotal'],
    ['linux_procstat', '/proc/stat', 'cpu'],
  ];
  for (const disk of directory('/sys/block')) files.push(['linux_diskstats', `/sys/block/${disk}/stat`, 'ReadsCompleted']);
  return files.filter(([, path]) => content(path) !== null);
}

function directory(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function content(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

test.each(realFiles())('%s decodes %s', (name, path, field) => {
  expect(decoder(name)(content(path) as string, [text('FilePath', path)])).toHaveProperty(field);
});
