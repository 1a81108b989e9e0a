import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCompact,
  formatCount,
  formatNs,
  formatRate,
  formatShare,
  formatSpan,
  formatValue,
  plural,
} from '../../../../renderer/src/lib/format.ts';

describe('formatCompact', () => {
  it.each([
    [0, '0'],
    [7, '7'],
    [38, '38'],
    [999, '999'],
    [999.5, '1k'],
    [1000, '1k'],
    [1234, '1.23k'],
    [12_345, '12.3k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [3_400_000, '3.4M'],
    [2_500_000_000, '2.5G'],
    [1.5e12, '1.5T'],
    [0.25, '0.25'],
    [0.012, '0.012'],
    [-1500, '-1.5k'],
    [100.04, '100'],
    [NaN, '–'],
    [Infinity, '–'],
  ])('%d → %s', (value, text) => expect(formatCompact(value)).toBe(text));
});

describe('other numbers', () => {
  it.each([
    [formatCount(1_234_567), '1,234,567'],
    [formatRate(38), '38/s'],
    [formatRate(1240), '1.24k/s'],
    [formatRate(0.04), '<0.1/s'],
    [formatRate(0), '0/s'],
    [formatBytes(0), '0 B'],
    [formatBytes(999), '999 B'],
    [formatBytes(999.6), '1.0 kB'],
    [formatBytes(12_345_678), '12.3 MB'],
    [formatBytes(214_000_000), '214 MB'],
    [formatBytes(2e9), '2.0 GB'],
    [formatNs(450), '450 ns'],
    [formatNs(1830), '1.83 µs'],
    [formatNs(13_000_000), '13 ms'],
    [formatNs(1.2e9), '1.2 s'],
    [formatNs(90e9), '1.5 min'],
    [formatNs(240_000e6), '4 min'],
    [formatNs(7200e9), '2 h'],
    [formatNs(10 * 86_400e9), '10 d'],
    [formatNs(NaN), '–'],
    [formatShare(0.1234), '12.3 %'],
    [formatShare(1), '100 %'],
    [formatShare(0.0004), '<0.1 %'],
    [formatShare(0), '0.0 %'],
    [formatValue(1200, 'count'), '1.2k'],
    [formatValue(34, 'ms'), '34 ms'],
    [formatValue(240_000, 'ms'), '4 min'],
    [formatValue(-34, 'ms'), '−34 ms'],
    [formatValue(9, '/s'), '9/s'],
    [formatValue(95, 'percent'), '95 %'],
    [formatValue(17.5e9, 'B'), '17.5 GB'],
    [formatValue(1024, 'KiB'), '1.0 MB'],
    [formatValue(0, 'KiB'), '0'],
    [formatValue(3, 'req'), '3 req'],
    [formatValue(NaN, 'ms'), '–'],
    [plural(1, 'record'), '1 record'],
    [plural(2000, 'record'), '2,000 records'],
    [plural(0, 'entry', 'entries'), '0 entries'],
  ])('%s = %s', (actual, expected) => expect(actual).toBe(expected));
});

describe('formatSpan', () => {
  it.each([
    [250, '250 ms'],
    [1000, '1 s'],
    [61_000, '1 min 1 s'],
    [60_000, '1 min'],
    [7_500_000, '2 h 5 min'],
    [90_000_000, '1 d 1 h'],
    [86_400_000, '1 d'],
    [172_830_000, '2 d'],
  ])('%d → %s', (ms, text) => expect(formatSpan(ms)).toBe(text));
});
