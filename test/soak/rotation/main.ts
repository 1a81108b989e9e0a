/**
 * `npm run soak -- rotation`: three logs (renamed, copied and emptied, packed one rotation later), of which three older files are kept, are written three times
 * as fast as they are taken. Its exit code is 1 when a record was lost, or came twice.
 */
import { rotationSoak } from './soak.ts';

let failed = false;
for (const pattern of [true, false]) {
  const result = await rotationSoak({ files: 12, recordsPerFile: 40_000, fileMs: 4000, pattern });
  const { records, lost, repeated, broken, inTime, seconds, told, said } = result;
  const what = pattern ? 'a pattern that rotated files fit' : 'the names of the logs';
  process.stdout.write(
    `${what}: ${records} records in ${Math.round(seconds)} s, ${inTime} had come when all were written; ${lost} lost, ${repeated} came twice, ${broken} torn\n`,
  );
  if (told !== '') process.stdout.write(`${told}\n`);
  if (lost === 0 && repeated === 0 && broken === 0 && told === '') continue;
  failed = true;
  process.stdout.write(`The service said last:\n${said}`);
}
process.exit(failed ? 1 : 0);
