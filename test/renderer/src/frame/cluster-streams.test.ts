import { describe, expect, it } from 'vitest';
import { ageOf, isBehind, startOf } from '../../../../renderer/src/frame/cluster-streams.ts';

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;

describe('the start of a stream', () => {
  it('is now, the beginning, or a time', () => {
    expect([startOf('end', '', NOW), startOf('begin', '', NOW)]).toEqual(['end', 'begin']);
    expect([startOf('hour', '', NOW), startOf('day', '', NOW)]).toEqual([NOW - HOUR, NOW - 24 * HOUR]);
    expect(startOf('time', '2026-11-22T10:30:00', NOW)).toBe(new Date('2026-11-22T10:30:00').getTime());
    expect([startOf('time', '', NOW), startOf('time', 'soon', NOW)]).toEqual([null, null]);
  });
});

describe('an edge', () => {
  const consumer = { name: 'lake', waiting: 0, unacknowledged: 0, acknowledged: 10 };
  const edge = { name: 'web1', batches: 3, lastMs: NOW, position: 12, waiting: null, subjects: [] };

  it('has the age of its last batch', () => {
    expect([ageOf(0, NOW), ageOf(NOW, NOW), ageOf(NOW + 50, NOW), ageOf(NOW - 90_000, NOW)]).toEqual([
      'empty',
      'just now',
      'just now',
      '1 min 30 s ago',
    ]);
  });

  it('is behind while somebody has not got its last batch', () => {
    expect(isBehind(edge, [{ ...consumer, waiting: 2 }])).toBe(true);
    expect(isBehind(edge, [{ ...consumer, unacknowledged: 1 }])).toBe(true);
    expect(isBehind({ ...edge, position: 9 }, [{ ...consumer, waiting: 2 }])).toBe(false);
    // A reader of other subjects is never there.
    expect(isBehind(edge, [consumer])).toBe(false);
    expect(isBehind(edge, [])).toBe(false);
  });
});
