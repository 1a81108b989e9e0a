import { describe, expect, test } from 'vitest';
import { decoder } from '../support/decode.ts';

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
