import type { End } from '../../engine/api/ends.ts';
import { endOf } from '../../engine/sandbox/contract/errors.ts';
import { batchOf, line, SandboxBench } from '../engine/sandbox/harness.ts';
import type { MemoryBomb } from './memory-bombs.ts';
import { PeakWatch, residentBytes } from './peak.ts';

/** Long enough for a machine that is busy with other things. */
const CALL_MS = 60_000;

/** Result of a bomb. */
export interface BombRun {
  /** Null: it did not end. */
  readonly end: End | null;
  /** Most memory of a host, in bytes above one that has a sandbox which holds nothing. */
  readonly over: number;
}

/** Starts a bomb, and sets it off. */
export async function setOff(bench: SandboxBench, { script, at }: MemoryBomb): Promise<End | null> {
  try {
    const sandbox = await bench.start(script, { limits: { instructions: 0, callMs: CALL_MS } });
    const { terminated } = await (at === 'timer' ? sandbox.timer(1n) : sandbox.process(batchOf([line('a')]), null));
    return terminated;
  } catch (error) {
    return endOf(error);
  }
}

/** Sets off bombs one by one, each on a host that has no other sandbox, and measures how much memory their hosts take. */
export class BombRange {
  readonly #bench: SandboxBench;
  readonly #peaks: PeakWatch;
  readonly #base: number;

  private constructor(bench: SandboxBench, peaks: PeakWatch, base: number) {
    this.#bench = bench;
    this.#peaks = peaks;
    this.#base = base;
  }

  static async open(): Promise<BombRange> {
    const bench = new SandboxBench({ hosts: 1 });
    const quiet = await bench.start('function process_message() { return 0; }');
    await quiet.process(batchOf([line('a')]), null);
    const base = Math.max(...bench.pool.hostPids.map(residentBytes));
    await quiet.stop();
    return new BombRange(bench, new PeakWatch(), base);
  }

  async run(bomb: MemoryBomb): Promise<BombRun> {
    this.#peaks.reset();
    const end = await setOff(this.#bench, bomb);
    return { end, over: this.#peaks.bytes - this.#base };
  }

  async close(): Promise<void> {
    await this.#bench.close();
    await this.#peaks.close();
  }
}
