import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SAMPLES } from '../../scripts/lib/samples/index.mjs';

const stored = (name: string) => readFileSync(new URL(`../../resources/samples/${name}`, import.meta.url), 'utf8');
const lines = (text: string) => text.split('\n').slice(0, -1);

const COMBINED = /^\S+ - \S+ \[(\d\d\/Mar\/2026:[0-2]\d:[0-5]\d:[0-5]\d) \+0000\] "(?:[^"\\]|\\.)*" (\d{3}) (\d+) "[^"]*" "[^"]*"$/;
const RFC_3164 = /^Mar [ 1]\d ([0-1]\d|2[0-3]):[0-5]\d:[0-5]\d garden01 [\w/-]+(\[\d+\])?: ./;
const RFC_5424 = /^<\d{1,3}>1 2026-03-1\dT[\d:.]+\+00:00 garden01 [\w/-]+ (\d+|-) (AUTH|-) (-|(\[(?:[^\]\\]|\\.)*\])+) ./;

describe('the sample logs', () => {
  it.each(SAMPLES)('$name is what its generator makes', ({ name, make }) => {
    expect(make()).toBe(stored(name));
  });

  it.each([
    { name: 'access.log', total: 10_000, wellFormed: COMBINED, broken: 12 },
    { name: 'syslog.log', total: 5000, wellFormed: RFC_3164, broken: 7 },
    { name: 'syslog-5424.log', total: 500, wellFormed: RFC_5424, broken: 0 },
  ])('$name has $total lines of which $broken are broken', ({ name, total, wellFormed, broken }) => {
    const all = lines(stored(name));
    expect(all).toHaveLength(total);
    expect(all.filter((line) => !wellFormed.test(line))).toHaveLength(broken);
  });

  it('the access log is in order of time over about twenty hours, with two outages and a crawler', () => {
    const hits = lines(stored('access.log')).flatMap((line) => COMBINED.exec(line) ?? []);
    const times = hits.filter((_, index) => index % 4 === 1);
    expect(times).toEqual(times.toSorted());
    expect(times[0]).toMatch(/:02:3/);
    expect(times.at(-1)).toMatch(/:22:2/);
    const failures = lines(stored('access.log')).filter((line) => / 50[234] 559 /.test(line));
    const minutes = new Set(failures.map((line) => /2026:(\d\d):/.exec(line)?.[1]));
    expect([...minutes]).toEqual(['09', '15']);
    expect(failures.length).toBeGreaterThan(150);
    expect(lines(stored('access.log')).filter((line) => line.includes('GardenBot')).length).toBeGreaterThan(500);
  });
});
