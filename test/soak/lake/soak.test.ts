import { expect, it } from 'vitest';
import { testMs } from '../../patience.ts';
import { lakeSoak } from './soak.ts';

it('answers exactly while files are written, merged and removed, and programs are killed', { timeout: 20 * testMs() }, async () => {
  const { problems, kills, answers, late, acknowledged, lastInLog } = await lakeSoak({ seconds: 6, seed: 1, graceMs: 15_000 });
  expect(problems).toEqual([]);
  expect(kills).toBeGreaterThan(0);
  expect(answers - late).toBeGreaterThan(4);
  expect(acknowledged).toBeGreaterThan(0);
  expect(lastInLog).toBeLessThan(5);
});
