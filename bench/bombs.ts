import { DEFAULT_LIMITS } from '../engine/sandbox/contract/types.ts';
import { BombRange } from '../test/hostile/bomb-run.ts';
import { ALL_MEMORY_BOMBS } from '../test/hostile/memory-bombs.ts';
import type { Benchmark, Figure } from './report.ts';

/** Measures how far hosts go beyond the limits of scripts that take much memory at once. */
export const bombsBenchmark: Benchmark = {
  name: 'bombs',
  title: 'Most memory of a host beyond the limit of a script that asks for gigabytes',
  async run() {
    const range = await BombRange.open();
    const figures: Figure[] = [];
    for (const bomb of ALL_MEMORY_BOMBS) {
      const { end, over } = await range.run(bomb);
      figures.push({ what: bomb.name, value: (over - DEFAULT_LIMITS.memory) / 2 ** 20, unit: 'MiB', note: end?.code ?? 'it did not end' });
    }
    await range.close();
    return figures;
  },
};
