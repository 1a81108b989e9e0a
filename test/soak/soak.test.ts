import { expect, it } from 'vitest';
import { soak } from './soak.ts';
import { problemsOf, summaryOf } from './summary.ts';

it('loses nothing when the engine and its hosts are killed, and repeats no more than it must', async () => {
  const result = await soak({ kills: 6, records: 4000, seed: 4, recordsPerFile: 700 });
  expect(problemsOf(result), `${summaryOf(result)}${result.said}`).toEqual([]);
  expect(result.engineKills).toBeGreaterThan(0);
  expect(Object.values(result.outputs).map(({ records }) => records)).toEqual([4000, 4000, 400]);
});
