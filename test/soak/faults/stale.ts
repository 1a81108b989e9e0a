import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_COMPILER, preloaded } from '../../preloaded.ts';
import { deliver, repeatedly } from './delivery.ts';
import type { Fault } from './fault.ts';

const TIMES = 3;
/** The longer one is more than a name may be without a file before the file counts as removed. */
const AWAY_MS = [700, 4000] as const;

/** A log on a server that goes away, and comes back as another one: what was open before stays dead. */
export const stale: readonly Fault[] = (['rename', 'copytruncate', 'delayed gzip'] as const).map((rotation) => ({
  name: `ESTALE of a log that is rotated meanwhile: ${rotation}`,
  promise: 'once',
  missing: () => (preloaded('stale-files') === null ? NO_COMPILER : null),
  run: ({ seed, length }) =>
    deliver({
      seed,
      records: 20_000,
      recordsPerSecond: 2500,
      rotation,
      recordsPerFile: 3000,
      env: (folder) => {
        writeFileSync(join(folder, 'state'), '0 0');
        return {
          LD_PRELOAD: preloaded('stale-files') as string,
          STALE_BELOW: join(folder, 'app.log'),
          STALE_STATE: join(folder, 'state'),
        };
      },
      act: (delivery) => {
        let times = 0;
        return repeatedly(TIMES * length, delivery, [300, 900], async () => {
          times++;
          writeFileSync(join(delivery.folder, 'state'), `${times} 1`);
          await delay(delivery.random.between(...AWAY_MS));
          writeFileSync(join(delivery.folder, 'state'), `${times} 0`);
        });
      },
    }),
}));
