import { describe, expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const text = (name: string, value: string) => ({ name, value: [value] });

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
