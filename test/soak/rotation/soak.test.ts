import { expect, it } from 'vitest';
import { slowness } from '../../patience.ts';
import { rotationSoak } from './soak.ts';

it('loses nothing of logs that are rotated faster than they are taken', async () => {
  const result = await rotationSoak({ files: 5, recordsPerFile: 20_000, fileMs: 1500 * slowness(), pattern: true });
  const { lost, repeated, broken, told, records, said } = result;
  expect({ lost, repeated, broken, told }, said).toEqual({ lost: 0, repeated: 0, broken: 0, told: '' });
  expect(records).toBe(5 * 20_000 * 3);
  expect(result.inTime).toBeLessThan(records);
});
