import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from '../../patience.ts';
import { deliver, type Delivery } from './delivery.ts';
import type { Fault } from './fault.ts';

/** Longest stop: 20 seconds without a move, and what it takes to end. */
const GRACE_MS = 25_000;

const LOOP = 'while (true);';

/** A script that loops at its first message or call, which is taken away after the first stop. */
function looping(kind: 'input' | 'filter', folder: string): string {
  const path = join(folder, 'loop.js');
  writeFileSync(path, `function process_message() { ${LOOP} }\n`);
  const section =
    kind === 'input' ? 'type = "SandboxInput"\nticker_interval = 1' : 'type = "SandboxFilter"\nmessage_matcher = "Type == \'logfile\'"';
  return `[loop]\n${section}\nfilename = ${JSON.stringify(path)}\ninstruction_limit = 0\n`;
}

/** Stops the service, lets it go on without what held it up, and looks whether it ended in time with a code that says so. */
function stopped(name: string, sections: ((folder: string) => string) | undefined, hold: (delivery: Delivery) => void): Fault {
  return {
    name: `SIGTERM with ${name}`,
    promise: 'kept',
    run: async ({ seed }) => {
      let late = 0;
      let note = '';
      const result = await deliver({
        seed,
        records: 6000,
        recordsPerSecond: 2000,
        ...(sections === undefined ? {} : { sections }),
        act: async (delivery) => {
          await delay(1500);
          hold(delivery);
          await delay(500);
          const { code, ms } = await delivery.stop();
          late = Math.max(0, Math.round(ms - GRACE_MS * slowness()));
          note = `exit code ${code} after ${(ms / 1000).toFixed(1)} s`;
          writeFileSync(join(delivery.folder, 'loop.js'), 'function process_message() { return 0; }\n');
          delivery.target.hurry();
          delivery.start();
          return 1;
        },
      });
      return { ...result, late, note };
    },
  };
}

export const stops: readonly Fault[] = [
  stopped(
    'an input that loops',
    (folder) => looping('input', folder),
    () => undefined,
  ),
  stopped(
    'a filter that loops',
    (folder) => looping('filter', folder),
    () => undefined,
  ),
  stopped('an output whose receiver takes nothing', undefined, ({ target }) => target.halt()),
  stopped('a host that is frozen', undefined, ({ service }) => {
    for (const host of service.hosts()) process.kill(host, 'SIGSTOP');
  }),
];
