import { expect, test } from 'vitest';
import { memoryLimits, memoryLimitsIn } from '../../../../engine/sandbox/hosts/process-limits.ts';

const table = (data: string, space: string): string => `Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max data size             ${data.padEnd(20)} unlimited            bytes     
Max resident set          1000                 unlimited            bytes     
Max address space         ${space.padEnd(20)} unlimited            bytes     
`;

test.each([
  ['unlimited', 'unlimited', []],
  ['unlimited', '2048000000', [{ bytes: 2_048_000_000, command: 'ulimit -v' }]],
  ['1024', 'unlimited', [{ bytes: 1024, command: 'ulimit -d' }]],
  [
    '1024',
    '2048',
    [
      { bytes: 2048, command: 'ulimit -v' },
      { bytes: 1024, command: 'ulimit -d' },
    ],
  ],
])('the limits on memory of a process: data %s, address space %s', (data, space, limits) => {
  expect(memoryLimitsIn(table(data, space))).toEqual(limits);
});

test('those of this process can be read', () => {
  expect(memoryLimits().every(({ bytes }) => bytes > 0)).toBe(true);
});
