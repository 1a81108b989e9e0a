/** The thread that looks after a lake: it removes what is not kept, makes large files of small ones, and deletes what nobody needs. */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../base/errors.ts';
import { Lake } from './lake.ts';
import { maintain } from './maintain.ts';
import { filesAt } from './place.ts';
import type { UpkeepWork } from './upkeep.ts';

const { place, graceMs, everyMs, ...options } = workerData as UpkeepWork;
const lake = new Lake(filesAt(place), { graceMs });
for (;;) {
  const problem = await maintain(lake, options).then(() => '', messageOf);
  parentPort?.postMessage(problem);
  await delay(everyMs);
}
