import { describe, expect, it } from 'vitest';
import { WorkClock } from '../../../../engine/sandbox/hosts/work-clock.ts';

/** A clock that began at 1 s, looked at each second; the host has the processor for so many milliseconds of each, or nothing is known. */
function times(used: readonly (number | null)[]): number[] {
  let total = 0;
  let next: number | null = 0;
  const clock = new WorkClock(1000, () => next);
  clock.goOn(1000);
  return used.map((ms, second) => {
    total += ms ?? 0;
    next = ms === null ? null : total;
    return Math.round(clock.goOn(2000 + second * 1000));
  });
}

describe('the clock of a host’s work', () => {
  it.each<[string, readonly (number | null)[], readonly number[]]>([
    ['goes with the machine’s clock while the host is at work', [1000, 1000, 900], [2000, 3000, 4000]],
    ['never goes faster, with several threads at work', [2500, 1800], [2000, 3000]],
    ['goes slower while the host has too little of a processor', [400, 200], [1500, 1750]],
    ['goes by a tenth while the host has none', [0, 0], [1100, 1200]],
    ['goes by a tenth when the host was replaced by one that has used less', [1000, -900], [2000, 2100]],
    ['goes with the machine’s clock where processor times are not known', [null, null], [2000, 3000]],
  ])('%s', (_what, used, expected) => expect(times(used)).toEqual(expected));

  it('translates the beginning of a call, and keeps it', () => {
    let used = 0;
    const clock = new WorkClock(0, () => used);
    clock.goOn(0);
    clock.goOn(1000);
    expect(clock.began(600)).toBe(60);
    used = 800;
    expect(clock.goOn(2000)).toBe(1100);
    expect(clock.began(600)).toBe(60);
    expect(clock.began(1900)).toBe(1000);
  });
});
