/**
 * `npm run soak -- growth [--minutes 20] [--rate 5000]`: a service reads a log that goes on, and must not grow. Prints by how many MB a minute it does, and what
 * it holds at the end. Its exit code is 1 when it is more than `MOST_GROWTH` (`bounds.ts`).
 */
import { parseArgs } from 'node:util';
import { MOST_GROWTH } from '../bounds.ts';
import { growthSoak } from './soak.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' }, rate: { type: 'string', default: '5000' } } });
const { lines, slopes, sizes, problem } = await growthSoak({ minutes: Number(values.minutes), rate: Number(values.rate) });
process.stdout.write(`${lines} lines; the service grew by MB a minute, and held MB at the end:\n`);
for (const kind of ['engine', 'hosts'] as const) {
  process.stdout.write(
    `${kind.padEnd(6)}  ${slopes[kind].toFixed(2).padStart(6)}  (${MOST_GROWTH[kind]} allowed)  ${Math.round(sizes[kind])}\n`,
  );
}
if (problem !== null) process.stdout.write(`${problem}\n`);
const grows = slopes.engine > MOST_GROWTH.engine || slopes.hosts > MOST_GROWTH.hosts;
process.exit(grows || problem !== null ? 1 : 0);
