import { slowness } from '../../patience.ts';
import { rotationSoak } from '../rotation/soak.ts';
import type { Fault } from './fault.ts';

/** Rotation of three logs by renaming, copying and packing, faster than they are taken. */
export const rotations: readonly Fault[] = [true, false].map((pattern) => ({
  name: `three files kept of logs that are renamed, copied and packed, a receiver at a third of the rate (${pattern ? 'a pattern' : 'their names'})`,
  promise: 'once',
  run: async ({ seed, length }) => {
    const files = 12 * length;
    const { lost, repeated, broken, told, said } = await rotationSoak({
      files,
      recordsPerFile: 4000 + 500 * (seed % 4),
      fileMs: 300 * slowness(),
      pattern,
    });
    return { tried: files * 3, lost: lost + broken, repeated, late: 0, said, ...(told === '' ? {} : { note: told }) };
  },
}));
