/**
 * `npm run soak -- --kills 100 [--records 1000000] [--seed N]`: kills the service again and again, and prints for each output what was lost and what
 * came twice. Its exit code is 1 when a record was lost, torn or out of order, or more came twice than can be accounted for (`bounds.ts`).
 */
import { readSoakArguments } from './arguments.ts';
import { problemsOf, summaryOf } from './summary.ts';
import { soak } from './soak.ts';

const { kills, records, seed } = readSoakArguments(process.argv.slice(2), { kills: 100, records: 1_000_000 });
process.stdout.write(
  `${records} records, ${kills} kills; again with: npm run soak -- --records ${records} --kills ${kills} --seed ${seed}\n`,
);
const onProgress = (text: string): void => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}   `);
};
const result = await soak({ kills, records, seed, recordsPerFile: 5000, onProgress });
process.stdout.write(summaryOf(result));
const problems = problemsOf(result);
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.stdout.write(`The service said last:\n${result.said}`);
process.exit(problems.length > 0 ? 1 : 0);
