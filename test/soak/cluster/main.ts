/**
 * `npm run soak -- cluster [--faults 60] [--records 1000000] [--seed N]`: a cluster whose programs are killed, separated, filled up, slowed down and replaced
 * by newer ones again and again. Its exit code is 1 when a record was lost, or is in the lake twice after repeats were removed by their Uuids.
 */
import { readSoakArguments } from '../arguments.ts';
import { ALL_FAULTS } from './faults.ts';
import { clusterSoak } from './soak.ts';
import { problemsOf, summaryOf } from './summary.ts';

const { faults, records, seed } = readSoakArguments(process.argv.slice(2), { faults: 60, records: 1_000_000 });
process.stdout.write(
  `${records} records, ${faults} faults; again with: npm run soak -- cluster --records ${records} --faults ${faults} --seed ${seed}\n`,
);
const onProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}   `);
};
const result = await clusterSoak({ kinds: ALL_FAULTS, faults, records, seed, recordsPerFile: 5000, hasOlderWorker: true, onProgress });
process.stdout.write(summaryOf(result));
const problems = problemsOf(result);
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.stdout.write(`The services said last:\n${result.said}`);
process.exit(problems.length > 0 ? 1 : 0);
