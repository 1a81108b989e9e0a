import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DecoderDetector } from '../engine/detect/detect.ts';
import { HEAD_LENGTH } from '../engine/detect/forms/head.ts';
import { startSandboxes } from '../engine/plugins/starter.ts';
import { DECODER_LOADS } from './decoder-loads.ts';
import { median, type Benchmark, type Figure } from './report.ts';
import { root } from './samples.ts';

const ROUNDS = 7;

/** Beginnings of files for the detection: of each kind of record, and of texts that are no logs. */
const LOGS: readonly string[] = DECODER_LOADS.map(({ records }) => headOf(records().join('\n')));
const OTHERS: readonly string[] = [
  'README.md',
  'docs/plugins.md',
  'package-lock.json',
  'bench/decoder-loads.ts',
  'engine/inputs/shared/read.ts',
].map((path) => headOf(readFileSync(resolve(root, path), 'utf8').repeat(4)));

function headOf(text: string): string {
  return text.length > HEAD_LENGTH ? text.slice(0, HEAD_LENGTH + 1) : `${text}\n`;
}

/** Measures the detection of decoders: of files that have one, with the start of its sandbox, and of files that have none. */
export const detectBenchmark: Benchmark = {
  name: 'detect',
  title: `Find the decoder of a file by its first 64 KiB (median of ${ROUNDS})`,
  async run() {
    const sandboxes = startSandboxes({ hosts: 1 });
    const detector = new DecoderDetector(sandboxes);
    const rateOf = async (texts: readonly string[]): Promise<{ rate: number; found: number }> => {
      const rates: number[] = [];
      let found = 0;
      for (let round = 0; round <= ROUNDS; round++) {
        const started = performance.now();
        found = await detectAll(detector, texts);
        // The first round warms the compiler up.
        if (round > 0) rates.push((texts.length * 1000) / (performance.now() - started));
      }
      return { rate: median(rates), found };
    };
    const logs = await rateOf(LOGS);
    const others = await rateOf(OTHERS);
    await sandboxes.close();
    const figures: readonly Figure[] = [
      { what: 'logs', value: logs.rate, unit: 'files/s', note: `${logs.found} of ${LOGS.length} recognised; with the start of a sandbox` },
      { what: 'other texts', value: others.rate, unit: 'files/s', note: `${others.found} of ${OTHERS.length} recognised` },
    ];
    return [...figures];
  },
};

/** Returns the number of decoders that were found. */
async function detectAll(detector: DecoderDetector, texts: readonly string[]): Promise<number> {
  let count = 0;
  for (const text of texts) {
    const found = await detector.detect(text);
    if (found === null) continue;
    count++;
    await found.sandbox.stop();
  }
  return count;
}
