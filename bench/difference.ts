import { scoreOf } from './difference/score.ts';
import { comparingSeconds } from './difference/speed.ts';
import { progress, type Benchmark, type Figure } from './report.ts';

/** Seeds of the pairs by which the difference was made, and of those that say how good it is. */
const [MADE_BY, JUDGED_BY] = [1, 1001];
const PAIRS = 20;
/** Times of the option for lines: the goal is that of five million records. */
const TIMES = 5;

/** Compares a large log, finds injected incidents among generated logs of five kinds, and finds nothing in pairs of quiet ones. */
export const differenceBenchmark: Benchmark = {
  name: 'difference',
  title: 'Difference of two logs: time, incidents whose cause is in the first three rows, and rows about quiet pairs',
  async run({ lines }) {
    const figures: Figure[] = [];
    const count = lines * TIMES;
    progress(`${count} records`);
    const seconds = await comparingSeconds(count);
    figures.push({ what: 'comparing', value: seconds, unit: 's', note: `of processors, ${count.toLocaleString('en')} records` });
    for (const [what, from] of [['known seeds', MADE_BY] as const, ['other seeds', JUDGED_BY] as const]) {
      const { incidents, found, quiet, falseRows, notes } = await scoreOf(from, PAIRS, progress);
      for (const note of notes) process.stderr.write(`${note}\n\n`);
      figures.push({ what: `${what}: causes found`, value: (found * 100) / incidents, unit: '%', note: `${found} of ${incidents}` });
      figures.push({
        what: `${what}: rows of quiet pairs`,
        value: (falseRows * 100) / quiet,
        unit: '%',
        note: `${falseRows} rows of ${quiet} quiet pairs`,
      });
    }
    return figures;
  },
};
