import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Histogram, SourceInfo } from '../../engine/api/types.ts';
import { highlighter } from '../../renderer/src/views/logs/highlight.ts';
import { barText, brushRange, bucketAt, indexAt, peak, totals } from '../../renderer/src/lib/histogram.ts';
import { compileLinear } from '../../renderer/src/views/logs/linear-regex.ts';
import { Pace } from '../../renderer/src/lib/pace.ts';
import { SEVERITIES, severityIndex, severityOf } from '../../renderer/src/lib/severity.ts';
import { decoderText, emptyReason, progressPart, progressText } from '../../renderer/src/lib/source-state.ts';
import { sparkPath } from '../../renderer/src/lib/spark.ts';
import { withAlpha } from '../../renderer/src/lib/theme.ts';
import { Throttle } from '../../renderer/src/lib/throttle.ts';
import { wheelPixels } from '../../renderer/src/views/logs/wheel.ts';

describe('highlighter', () => {
  const hits = (text: string, search: { text: string; regex?: boolean; caseSensitive?: boolean }): string[] =>
    highlighter(
      { regex: false, caseSensitive: false, ...search },
      compileLinear,
    )(text)
      .filter(({ hit }) => hit)
      .map((segment) => segment.text);

  it.each([
    ['GET /a GET', { text: 'get' }, ['GET', 'GET']],
    ['GET /a', { text: 'get', caseSensitive: true }, []],
    ['a1b22', { text: '\\d+', regex: true }, ['1', '22']],
    ['Abc', { text: 'B', regex: true }, ['b']],
    ['abc', { text: '(', regex: true }, []],
    ['abc', { text: 'x*', regex: true }, []],
    ['abc', { text: '' }, []],
    ['İx', { text: 'x' }, []],
  ])('%s by %o', (text, search, expected) => expect(hits(text, search)).toEqual(expected));

  it('loses no character, whatever is searched', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 4 }), fc.boolean(), (text, wanted, regex) => {
        const segments = highlighter({ text: wanted, regex, caseSensitive: false }, compileLinear)(text);
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
      }),
    );
  });

  it('is not slow on a pattern made to be slow', () => {
    const segments = highlighter({ text: '(a+)+$', regex: true, caseSensitive: true }, compileLinear);
    expect(segments(`${'a'.repeat(600)}b`)).toHaveLength(1);
  });
});

describe('histogram', () => {
  const histogram: Histogram = {
    from: 1000,
    to: 1030,
    bucketMs: 10,
    complete: true,
    groups: Array.from({ length: 9 }, (_unused, severity) => ({
      kind: severity === 8 ? 'none' : 'severity',
      name: severity === 8 ? '' : `${severity}`,
    })),
    counts: [[], [], [], [1, 0, 2], [], [], [0, 5, 5], [], [1, 0, 0]].map((counts) => (counts.length === 0 ? [0, 0, 0] : counts)),
  };

  it('sums, finds and brushes bars', () => {
    expect(bucketAt(histogram, 2)).toMatchObject({ from: 1020, to: 1030, total: 7 });
    expect(peak(histogram)).toBe(7);
    expect(barText(bucketAt(histogram, 2), histogram.groups, ({ name }) => name)).toBe('6 5, 3 2');
    expect(totals(histogram)).toEqual([
      { group: { kind: 'severity', name: '3' }, index: 3, count: 3 },
      { group: { kind: 'severity', name: '6' }, index: 6, count: 10 },
      { group: { kind: 'none', name: '' }, index: 8, count: 1 },
    ]);
    expect(brushRange(histogram, 2, 1)).toEqual({ from: 1010, to: 1030 });
    expect([indexAt(histogram, -1), indexAt(histogram, 0.5), indexAt(histogram, 1)]).toEqual([0, 1, 2]);
  });
});

describe('Pace', () => {
  it('smooths, and forgets when it starts over', () => {
    const pace = new Pace();
    pace.add(0, 0);
    expect(pace.rate).toBeNull();
    pace.add(50, 100);
    expect(pace.rate).toBeNull();
    pace.add(1000, 1000);
    expect(pace.rate).toBe(1000);
    expect(pace.timeLeft(3000)).toBe(2000);
    expect(pace.timeLeft(500)).toBe(0);
    pace.add(2000, 10);
    expect(pace.rate).toBeNull();
    expect(pace.timeLeft(3000)).toBeNull();
  });
});

describe('Throttle', () => {
  it('runs at once, then once after the pause, however often it was called', async () => {
    vi.useFakeTimers();
    const work = vi.fn(() => Promise.resolve());
    const throttle = new Throttle(100, work);
    throttle.call();
    throttle.call();
    throttle.call();
    await vi.advanceTimersByTimeAsync(50);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(work).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });
});

describe('severities', () => {
  it.each([
    [0, 'EMERG'],
    [4, 'WARN'],
    [7, 'DEBUG'],
    [null, ''],
    [9, ''],
    [-1, ''],
    [2.5, ''],
  ])('%s is %j', (severity, short) => expect(severityOf(severity).short).toBe(short));

  it('are never told apart by colour alone', () => {
    const named = SEVERITIES.slice(0, 8);
    expect(new Set(named.map(({ short }) => short)).size).toBe(8);
    expect(named.every(({ shape }) => shape !== 'none')).toBe(true);
    expect(severityIndex(null)).toBe(8);
  });
});

describe('sources', () => {
  const source = { bytes: 5e6, totalBytes: 1e7, decoder: null } as SourceInfo;

  it('say how far they are', () => {
    expect(progressText(source, null, null)).toBe('5.0 MB of 10.0 MB');
    expect(progressText(source, 1e6, 5000)).toBe('5.0 MB of 10.0 MB · 1.0 MB/s · 5 s left');
    expect(progressPart(source)).toBe(0.5);
    expect(progressPart({ ...source, totalBytes: 0 })).toBe(0);
  });

  it.each([
    [[{ state: 'failed', label: 'a', problem: null }], 'Nothing could be read', 'a could not be read.'],
    [[{ state: 'failed', label: 'a', problem: 'Gone.' }, { state: 'following' }], 'No records yet', 'The sources are empty.'],
    [[{ state: 'reading', label: 'a', bytes: 1, totalBytes: 2 }], 'Reading…', 'a: 1 B of 2 B'],
    [[{ state: 'listening', location: '127.0.0.1:5514' }], 'Waiting for records', '127.0.0.1:5514'],
    [[{ state: 'following' }], 'No records yet', 'The sources are empty.'],
  ])('without records, %o: %s', (sources, title, text) => {
    const reason = emptyReason(sources as unknown as SourceInfo[]);
    expect(reason.title).toBe(title);
    expect(reason.text).toContain(text);
  });

  it('say what decodes them, and how sure that is', () => {
    expect(decoderText(source)).toBe('raw');
    expect(decoderText({ ...source, decoder: { name: 'syslog', config: {}, by: 'user', confidence: 0.1 } })).toBe('syslog');
    expect(decoderText({ ...source, decoder: { name: 'syslog', config: {}, by: 'detected', confidence: 0.9 } })).toBe('syslog (90 % sure)');
  });
});

describe('small drawings', () => {
  it.each([
    [[], ''],
    [[1], ''],
    [[0, 0], ''],
    [[0, 4], 'M0 10L0 9L20 1L20 10Z'],
  ])('spark line of %o', (values, path) => expect(sparkPath(values, 20, 10)).toBe(path));

  it('make colours transparent', () => {
    expect(withAlpha('rgb(1, 2, 3)', 0.5)).toBe('rgba(1, 2, 3, 0.5)');
    expect(withAlpha('color(srgb 1 0 0)', 0.5)).toBe('color(srgb 1 0 0)');
  });

  it.each([
    [0, 100, 100],
    [1, 3, 72],
    [2, 1, 480],
  ])('a wheel in mode %d by %d moves %d pixels', (deltaMode, deltaY, pixels) => {
    expect(wheelPixels({ deltaMode, deltaY }, 480)).toBe(pixels);
  });
});
