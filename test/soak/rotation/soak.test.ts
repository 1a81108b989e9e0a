import { expect, it } from 'vitest';
import { rotationSoak } from './soak.ts';

it('loses nothing of logs that are rotated faster than they are taken', async () => {
  const result = await rotationSoak({ files: 6, recordsPerFile: 8000, fileMs: 500, pattern: true });
  const { lost, repeated, broken, told, records, said } = result;
  expect({ lost, repeated, broken, told }, said).toEqual({ lost: 0, repeated: 0, broken: 0, told: '' });
  expect(records).toBe(6 * 8000 * 3);
  expect(result.inTime).toBeLessThan(records);
});
