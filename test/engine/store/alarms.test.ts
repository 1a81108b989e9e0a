import { describe, expect, it } from 'vitest';
import { alarmCodes, alarmPositions, alarmsOf, NO_ALARMS } from '../../../engine/store/alarms.ts';
import { linesBatch, type Line } from './fixtures.ts';

const batch = (...lines: Partial<Line>[]) => linesBatch(lines.map((line, i) => ({ at: i, text: '', ...line }))).batch;

describe('alarms', () => {
  it.each<[line: Partial<Line>, code: number]>([
    [{ severity: 3 }, 2],
    [{ severity: 4 }, 1],
    [{ severity: 5 }, 0],
    [{ status: 500 }, 2],
    [{ status: 599 }, 2],
    [{ status: 404 }, 1],
    [{ status: 399 }, 0],
    [{ status: 600 }, 0],
    [{ status: 503, severity: 6 }, 0],
    [{ status: 200, severity: 2 }, 2],
    [{}, 0],
  ])('of %j', (line, code) => expect(alarmCodes(batch(line, { severity: 0 }, { status: 200 }))?.[0]).toBe(code));

  it('are none where nothing can say so', () => {
    expect([alarmCodes(batch({}, {})), alarmCodes(batch({ severity: 6 }, { severity: 6 }))]).toEqual([null, null]);
    expect(alarmsOf(batch({}), null)).toBe(NO_ALARMS);
  });

  it('lie in cells and at positions of the rows that count', () => {
    const all = batch({ severity: 3 }, { severity: 6 }, { severity: 4 }, { severity: 0 });
    const rows = Uint16Array.of(1, 2, 3);
    expect(alarmPositions(all, null, 'error')).toEqual(Uint32Array.of(0, 3));
    expect(alarmPositions(all, rows, 'error')).toEqual(Uint32Array.of(2));
    expect(alarmPositions(all, rows, 'warning')).toEqual(Uint32Array.of(1));
    expect([...alarmsOf(all, null).error]).toEqual([0, 192]);
    expect([...alarmsOf(all, null).warning]).toEqual([128]);
  });
});
