import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generatedLog } from '../../bench/logs.ts';

const COMBINED = /^[\d.]+ - (-|alice) \[0\d\/Nov\/2026:\d\d:\d\d:\d\d \+0000\] "(GET|POST) \S+ HTTP\/1\.1" \d{3} \d+ "[^"]+" "[^"]+"$/;
const RFC_3164 = /^Nov {2}\d \d\d:\d\d:\d\d host\d [\w/]+\[\d+\]: \S.*$/;

describe('the generated logs', () => {
  it.each([
    { kind: 'access', form: COMBINED },
    { kind: 'syslog', form: RFC_3164 },
  ] as const)('$kind has lines of one form, the same each time', ({ kind, form }) => {
    const { path, lines, bytes } = generatedLog(kind, 12_000);
    const text = readFileSync(path);
    const all = text.toString().split('\n');
    expect(all.pop()).toBe('');
    expect(all).toHaveLength(lines);
    expect(text).toHaveLength(bytes);
    expect(all.filter((line) => !form.test(line))).toEqual([]);
    const hash = createHash('sha256').update(text).digest('hex');
    expect(
      createHash('sha256')
        .update(readFileSync(generatedLog(kind, 12_000).path))
        .digest('hex'),
    ).toBe(hash);
  });

  it('spreads the lines over three days in order, with outages', () => {
    const all = readFileSync(generatedLog('access', 12_000).path, 'utf8').trimEnd().split('\n');
    const times = all.map((line) => /\[(.{20})/.exec(line)?.[1] ?? '');
    expect(times).toEqual(times.toSorted());
    expect([times[0], times.at(-1)?.slice(0, 11)]).toEqual(['01/Nov/2026:00:00:00', '03/Nov/2026']);
    expect(all.filter((line) => line.includes('" 503 ')).length).toBeGreaterThan(100);
  });
});
