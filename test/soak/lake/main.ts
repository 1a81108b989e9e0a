/**
 * `npm run soak -- lake [--minutes 10] [--seed N]`: four readers ask a lake while two writers write to it and two programs merge and remove files; all but
 * the readers are killed again and again. Its exit code is 1 when an answer was not exact.
 */
import { parseArgs } from 'node:util';
import { lakeSoak } from './soak.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: String(Date.now() % 2 ** 31) } },
});
process.stdout.write(`${values.minutes} minutes; again with: npm run soak -- lake --minutes ${values.minutes} --seed ${values.seed}\n`);
const onProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}   `);
};
const result = await lakeSoak({ seconds: Number(values.minutes) * 60, seed: Number(values.seed), graceMs: 15_000, onProgress });
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
process.exit(result.problems.length > 0 ? 1 : 0);
