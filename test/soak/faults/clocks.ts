import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_COMPILER, preloaded } from '../../preloaded.ts';
import { deliver, repeatedly } from './delivery.ts';
import type { Fault } from './fault.ts';

const HOUR = 3600;
const DECADE = 10 * 365 * 24 * HOUR;
const SECONDS_AHEAD = [HOUR, DECADE, -DECADE, -HOUR, 0];

export const clocks: readonly Fault[] = (['rename', 'copytruncate', 'delayed gzip'] as const).map((rotation) => ({
  name: `a clock that jumps while a log is rotated: ${rotation}`,
  promise: 'once',
  missing: () => (preloaded('shifted-clock') === null ? NO_COMPILER : null),
  run: ({ seed, length }) =>
    deliver({
      seed,
      records: 20_000,
      recordsPerSecond: 3000,
      rotation,
      recordsPerFile: 2000,
      env: (folder) => {
        writeFileSync(join(folder, 'ahead'), '0');
        return { LD_PRELOAD: preloaded('shifted-clock') as string, CLOCK_AHEAD: join(folder, 'ahead') };
      },
      act: (delivery) =>
        repeatedly(5 * length, delivery, [300, 900], () => {
          const ahead = SECONDS_AHEAD[Math.floor(delivery.random.between(0, SECONDS_AHEAD.length))] as number;
          writeFileSync(join(delivery.folder, 'ahead'), String(ahead));
        }),
    }),
}));
