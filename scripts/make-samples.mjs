// npm run samples [-- FOLDER]: writes the sample logs, the same bytes each time.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { say } from './lib/report.mjs';
import { SAMPLES } from './lib/samples/index.mjs';

const folder = process.argv[2] ?? inRoot('resources', 'samples');
mkdirSync(folder, { recursive: true });
for (const { name, make } of SAMPLES) {
  const text = make();
  writeFileSync(join(folder, name), text);
  say(`${join(folder, name)}: ${text.split('\n').length - 1} lines`);
}
