import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deliver, repeatedly } from './delivery.ts';
import type { Fault } from './fault.ts';

const [LIBRARY] = process.platform === 'linux' ? globSync('/usr/lib/*/faketime/libfaketime.so.1') : [];
const OFFSETS = ['+1h', '+10y', '-10y', '-1h', '+0'];

export const clocks: readonly Fault[] = (['rename', 'copytruncate', 'delayed gzip'] as const).map((rotation) => ({
  name: `a clock that jumps while a log is rotated: ${rotation}`,
  promise: 'once',
  missing: () => (LIBRARY === undefined ? 'no libfaketime' : null),
  run: ({ seed, length }) =>
    deliver({
      seed,
      records: 20_000,
      recordsPerSecond: 3000,
      rotation,
      recordsPerFile: 2000,
      env: (folder) => {
        writeFileSync(join(folder, 'offset'), '+0\n');
        const clock = { FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'), FAKETIME_NO_CACHE: '1' };
        return { ...clock, LD_PRELOAD: LIBRARY as string, FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' };
      },
      act: (delivery) =>
        repeatedly(5 * length, delivery, [300, 900], () => {
          const offset = OFFSETS[Math.floor(delivery.random.between(0, OFFSETS.length))] as string;
          writeFileSync(join(delivery.folder, 'offset'), `${offset}\n`);
        }),
    }),
}));
