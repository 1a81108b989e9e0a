/** Looks after a lake without a rest, at the same time as another process that does. Killed by the soak. Arguments: folder, grace in milliseconds. */
import { setTimeout as delay } from 'node:timers/promises';
import { Lake } from '../../../engine/catalogue/lake.ts';
import { filesAt } from '../../../engine/catalogue/place.ts';
import { clean, compact, expire } from '../../../engine/catalogue/maintain.ts';
import { OLD_MS, ORPHAN_MS } from './roles.ts';

const [folder = '', grace = ''] = process.argv.slice(2);
const lake = new Lake(filesAt({ path: folder }), { graceMs: Number(grace) });
for (;;) {
  await expire(lake, { ageMs: OLD_MS, bytes: null });
  await compact(lake, false);
  await clean(lake, ORPHAN_MS);
  await delay(100);
}
