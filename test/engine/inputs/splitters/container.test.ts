import { describe, expect, it } from 'vitest';
import type { SplitOptions } from '../../../../engine/inputs/splitters/index.ts';
import type { Outlook } from '../../../../engine/inputs/splitter.ts';
import { splitChunks } from './fixtures.ts';

const CONTAINER: SplitOptions = { kind: 'container' };

describe('logs of containers', () => {
  const T = '2021-03-05T13:07:59.25Z';
  const docker = (log: string, stream = 'stdout'): string => JSON.stringify({ log, stream, time: T });
  const OTHERS = Array.from({ length: 120 }, (_, i) => `${T} stderr F ${i}`);
  const cases: [title: string, lines: readonly string[], last: Outlook, records: readonly number[]][] = [
    ['whole lines', [`${T} stdout F a`, `${T} stderr F b`, docker('a\n'), docker('b\r\n')], 'end', [1, 1, 1, 1]],
    ['pieces', [`${T} stdout P a`, `${T} stdout P b`, `${T} stdout F c`, `${T} stdout F d`], 'end', [3, 1]],
    ['tags', [`${T} stdout P:x a`, `${T} stdout F:y`], 'end', [2]],
    ['both streams', [`${T} stdout P a`, `${T} stderr P b`, `${T} stdout F c`, `${T} stderr F d`, `${T} stdout F e`], 'end', [4, 1]],
    ['pieces of Docker', [docker('a'), docker('b\n', 'stderr'), docker('c\n'), docker('d\n')], 'end', [3, 1]],
    ['backslashes before an n', [docker('a\\n'), docker('b\\\n'), docker('c\n')], 'end', [2, 1]],
    ['a piece that waits for the next one', [`${T} stdout F a`, `${T} stdout P b`], 'pause', [1]],
    ['a piece at the end', [`${T} stdout F a`, `${T} stdout P b`], 'end', [1, 1]],
    ['a line of another form behind a piece', [`${T} stdout P a`, 'x', `${T} stdout F b`], 'end', [1, 1, 1]],
    ['lines of other forms', ['x', '', '{"log":"a', `${T} stdin P a`, `${T} stdout G a`, 'a stdout'], 'end', [1, 1, 1, 1, 1, 1]],
    ['a stack trace', [`${T} stdout F a`, `${T} stdout F \tat b`, `${T} stdout F Caused by: c`, `${T} stdout F d`], 'end', [3, 1]],
    ['a stack trace of Docker', [docker('a\n'), docker('\tat b\n'), docker('KeyError: c\n'), docker('d\n')], 'end', [3, 1]],
    ['lines of the other stream', [docker('a\n'), docker('\tat b\n', 'stderr')], 'end', [1, 1]],
    ['too many lines of the other stream', [`${T} stdout P a`, ...OTHERS], 'end', [102, ...OTHERS.slice(101).map(() => 1)]],
  ];
  it.each(cases)('%s', (_title, lines, last, counts) => {
    const data = `${lines.join('\n')}\n`;
    const records = splitChunks(CONTAINER, [data], last);
    expect(records.map((record) => record.replace(/\n$/, '').split('\n').length)).toEqual(counts);
    expect(records.map((record) => record.replace(/\n$/, ''))).toEqual(lines.join('\n') === '' ? [] : regrouped(lines, counts));
    const bytes = [...Buffer.from(data)].map((byte) => Uint8Array.of(byte));
    expect(splitChunks(CONTAINER, bytes, last)).toEqual(records);
  });

  function regrouped(lines: readonly string[], counts: readonly number[]): string[] {
    let at = 0;
    return counts.map((count) => lines.slice(at, (at += count)).join('\n'));
  }

  it('ends a record before it gets too long', () => {
    const pieces = Array.from({ length: 9 }, (_, i) => `${T} stdout P ${i}${'x'.repeat(100)}\n`).join('');
    const records = splitChunks(CONTAINER, [pieces], 'end', 400);
    expect(records.map((record) => record.length <= 400)).toEqual(records.map(() => true));
    expect(`${records.join('\n')}`.trim()).toBe(pieces.trim());
  });
});
