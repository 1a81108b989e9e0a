import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NO_COMPILER, preloaded } from '../../preloaded.ts';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';
import { Tally } from '../tally.ts';
import { deliver, repeatedly, type Delivery } from './delivery.ts';
import type { Fault, FaultResult } from './fault.ts';

const RECORDS = 20_000;
const FAILING_MS = 1500;

const fileOutput = (path: string, buffered: boolean): string => `[file]
type = "FileOutput"
path = ${JSON.stringify(path)}
message_matcher = "Type == 'logfile'"
encoder = "line"
use_buffering = ${buffered}
flush_interval = 50
`;

/** Counts what a file has, and waits for it to be whole. */
async function counted(path: string, result: FaultResult): Promise<FaultResult> {
  let tally = new Tally();
  for (let look = 0; look < 100 && tally.distinct < RECORDS; look++) {
    tally = new Tally();
    if (existsSync(path)) for (const line of readFileSync(path, 'utf8').split('\n').slice(0, -1)) tally.count(line, 0);
    await delay(100);
  }
  const { lost, repeated, broken } = tally.figures(new Map([['log', RECORDS]]), () => true);
  return { ...result, lost: result.lost + lost + broken, repeated: result.repeated + repeated };
}

function fullDisk(buffered: boolean): Fault {
  return {
    name: `ENOSPC in mid-write of a file${buffered ? ' behind a disk buffer' : ''}`,
    promise: 'once',
    missing: () => (CAN_MOUNT ? null : 'no file system can be mounted'),
    run: async ({ seed, length }) => {
      using disk = new SmallDisk(16_384);
      const path = disk.at('out.log');
      let outcome: FaultResult | null = null;
      const result = await deliver({
        seed,
        records: RECORDS,
        recordsPerSecond: 3000,
        sections: () => fileOutput(path, buffered),
        act: (delivery) =>
          repeatedly(3 * length, delivery, [200, 800], async () => {
            disk.leave(4096);
            await delay(FAILING_MS);
            disk.free();
          }),
        finish: async (figures) => void (outcome = await counted(path, figures)),
      });
      return outcome ?? result;
    },
  };
}

function failing(name: 'EIO' | 'EDQUOT', buffered: boolean): Fault {
  return {
    name: `${name} in mid-write of a file${buffered ? ' and of its disk buffer' : ''}`,
    // A buffer that cannot be written ends the service, which says so.
    promise: buffered ? 'kept' : 'once',
    missing: () => (preloaded('failing-writes') === null ? NO_COMPILER : null),
    run: async ({ seed, length }) => {
      let outcome: FaultResult | null = null;
      const switchOf = ({ folder }: Pick<Delivery, 'folder'>): string => join(folder, 'fail-with');
      const outputOf = (folder: string): string => join(folder, 'out', 'out.log');
      const result = await deliver({
        seed,
        records: RECORDS,
        recordsPerSecond: 3000,
        supervised: buffered,
        sections: (folder) => {
          mkdirSync(join(folder, 'out'));
          return fileOutput(outputOf(folder), buffered);
        },
        env: (folder) => ({
          LD_PRELOAD: preloaded('failing-writes') as string,
          FAIL_BELOW: join(folder, buffered ? 'base/output_queue' : 'out'),
          FAIL_WITH: switchOf({ folder }),
        }),
        act: (delivery) =>
          repeatedly(3 * length, delivery, [200, 800], async () => {
            writeFileSync(switchOf(delivery), String(constants.errno[name]));
            await delay(FAILING_MS);
            rmSync(switchOf(delivery));
          }),
        finish: async (figures, { folder }) => void (outcome = await counted(outputOf(folder), figures)),
      });
      return outcome ?? result;
    },
  };
}

export const disks: readonly Fault[] = [
  fullDisk(false),
  fullDisk(true),
  failing('EIO', false),
  failing('EDQUOT', false),
  failing('EIO', true),
];
