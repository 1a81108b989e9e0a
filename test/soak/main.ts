/** `npm run soak`: kills the service again and again and counts what is lost and what comes twice; see `soak`. */
import { parseArgs } from 'node:util';
import { soak, type OutputName, type SoakResult } from './soak.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    records: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [kills, records, seed] = [values.kills, values.records, values.seed].map(Number) as [number, number, number];
process.stdout.write(`${records} records, ${kills} kills, --seed ${seed}\n`);
const onProgress = (text: string): void => void process.stderr.write(`${text}\n`);
const result = await soak({ kills, records, seed, recordsPerFile: 5000, onProgress });
process.stdout.write(table(result));
process.exit(0);

function table(found: SoakResult): string {
  const rows = (Object.keys(found.outputs) as OutputName[]).map((name) => ({ name, ...found.outputs[name] }));
  return (
    JSON.stringify({ ...found, outputs: undefined, said: undefined }) +
    '\n' +
    rows.map((row) => JSON.stringify(row)).join('\n') +
    '\n' +
    found.said
  );
}
