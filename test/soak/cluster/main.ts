/**
 * `npm run soak -- cluster --kills 30 [--records 1000000] [--seed N]`: kills edges, workers and servers of a cluster again and again. Its exit code is 1
 * when a record was lost, or is in the lake twice after repeats were removed by their Uuids.
 */
import { readSoakArguments } from '../arguments.ts';
import { clusterSoak } from './soak.ts';
import { problemsOf, summaryOf } from './summary.ts';

const { kills, records, seed } = readSoakArguments(process.argv.slice(2), { kills: '30', records: '1000000' });
process.stdout.write(
  `${records} records, ${kills} kills; again with: npm run soak -- cluster --records ${records} --kills ${kills} --seed ${seed}\n`,
);
const onProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}   `);
};
const result = await clusterSoak({ kills, records, seed, recordsPerFile: 5000, onProgress });
process.stdout.write(summaryOf(result));
const problems = problemsOf(result);
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.stdout.write(`The services said last:\n${result.said}`);
process.exit(problems.length > 0 ? 1 : 0);
