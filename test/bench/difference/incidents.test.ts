import { expect, it } from 'vitest';
import { incidentOf } from '../../../bench/difference/incidents.ts';
import { KINDS, newWorld } from '../../../bench/difference/world.ts';

it('each kind of log has four incidents, by turns', () => {
  const names = KINDS.map((kind) => Array.from({ length: 8 }, (_, turn) => incidentOf(newWorld(kind, turn), turn).name));
  for (const own of names) expect([new Set(own).size, own.slice(0, 4)]).toEqual([4, own.slice(4)]);
  expect(new Set(names.flat()).size).toBeGreaterThanOrEqual(8);
});
