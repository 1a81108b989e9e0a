import { setTimeout as delay } from 'node:timers/promises';
import type { Input, InputSink, InputStats } from '../engine/inputs/types.ts';
import { compileMatcher } from '../engine/matcher/matcher.ts';
import type { MessageBatch } from '../engine/message/batch/batch.ts';
import { batchOf } from '../engine/message/batch/builder.ts';
import { Pipeline } from '../engine/pipeline/pipeline.ts';
import { findPlugin } from '../engine/plugins/catalog.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes, type Sandboxes } from '../engine/plugins/starter.ts';
import type { Sandbox, SandboxKind } from '../engine/sandbox/contract/types.ts';
import { treeCpuSeconds } from './processes.ts';
import { progress, type Benchmark, type Figure } from './report.ts';

const SIZES = [10, 100, 1000];
/** Part of the lines that are processed before the others are measured, so that all code is compiled. */
const WARM = 0.5;
const BATCH = 2000;
const FIELDS = 10;
const START = 1_795_168_800_000_000_000n;

/** The parts of a pipeline, and the lines that go through it. */
interface Load {
  /** Each of them has a decoder of its own. */
  readonly sources: number;
  /** Each of them is that of a filter. */
  readonly matchers: readonly string[];
  /** The name of field k of line i. */
  readonly name: (i: number, k: number) => string;
}

const same = (_: number, k: number): string => `f${k}`;

/** Something that grows, with the load of each size. */
const GROWTHS: Readonly<Record<string, (size: number) => Load>> = {
  columns: (size) => ({ sources: 1, matchers: ['TRUE'], name: (i, k) => `f${(i * FIELDS + k) % size}` }),
  sources: (size) => ({ sources: size, matchers: ['TRUE'], name: same }),
  'filters with their share of the lines': (size) => ({
    sources: 1,
    matchers: Array.from({ length: size }, (_, i) => `Fields[f0] == ${i}`),
    name: same,
  }),
  'filters, all but one without lines': (size) => ({
    sources: 1,
    matchers: ['TRUE', ...Array.from({ length: size - 1 }, (_, i) => `Type == 'other.${i}'`)],
    name: same,
  }),
};

/** Measures the processor time of a line with more columns, sources and filters. */
export const growthBenchmark: Benchmark = {
  name: 'growth',
  title: `CPU time a line, of all processes, when there are ${SIZES.join(', ')} of something; each line has ${FIELDS} fields`,
  async run({ lines }) {
    const figures: Figure[] = [];
    for (const [what, loadOf] of Object.entries(GROWTHS)) {
      let first: number | null = null;
      for (const size of SIZES) {
        progress(`${size} ${what}`);
        const value = await measure(loadOf(size), size, lines / 10);
        first ??= value;
        figures.push({ what: `${size} ${what}`, value, unit: 'µs/line', note: `${(value / first).toFixed(2)} × that with ${SIZES[0]}` });
      }
    }
    return figures;
  },
};

const DECODER = `function process_message() { inject_message({ Fields: JSON.parse(read_message('Payload')) }); return 0; }`;
const FILTER = `var high = 0;
function process_message() { if (read_message('Fields[f1]') > 500) high++; return 0; }`;

async function measure(load: Load, size: number, lines: number): Promise<number> {
  const sandboxes = startSandboxes();
  const pipeline = new Pipeline({ clock: 'message' });
  try {
    for (const [i, matcher] of load.matchers.entries())
      pipeline.addFilter({
        name: `filter ${i}`,
        matcher: compileMatcher(matcher),
        tickerInterval: 0,
        sandbox: await start(sandboxes, 'filter', FILTER),
      });
    const inputs: GivenInput[] = [];
    for (let i = 0; i < load.sources; i++) {
      const input = new GivenInput(`input ${i}`);
      pipeline.addInput({ input, decoder: await start(sandboxes, 'decoder', DECODER), sendDecodeFailures: false });
      inputs.push(input);
    }
    await pipeline.start();
    // Batches are made before they are measured.
    const turns = [lines * WARM, lines].map((count) => inputs.map((_, i) => [...batchesOf(load, size, count / inputs.length, i)]));
    const used: number[] = [];
    for (const turn of turns) {
      const before = treeCpuSeconds(process.pid);
      await Promise.all(inputs.map((input, i) => input.give(turn[i] as MessageBatch[])));
      while (!pipeline.finished) await delay(5);
      used.push(treeCpuSeconds(process.pid) - before);
    }
    return ((used.at(-1) as number) * 1e6) / lines;
  } finally {
    await pipeline.stop();
    await sandboxes.close();
  }
}

const start = (sandboxes: Sandboxes, kind: SandboxKind, text: string): Promise<Sandbox> =>
  sandboxes.start({ ...sandboxSpec(kind, findPlugin(kind, kind === 'filter' ? 'heartbeat' : 'json_lines'), {}), text });

function* batchesOf({ name }: Load, size: number, lines: number, source: number): Iterable<MessageBatch> {
  for (let from = 0; from < lines; from += BATCH) {
    const count = Math.min(BATCH, lines - from);
    yield batchOf(
      Array.from({ length: count }, (_, at) => {
        const i = source + from + at;
        const fields = Array.from({ length: FIELDS }, (_unused, k) => [name(i, k), (i + k) % size] as const);
        const payload = JSON.stringify(Object.fromEntries(fields));
        return { uuid: new Uint8Array(16), timestamp: START + BigInt(i) * 1_000_000n, type: 'logfile', payload, fields: [] };
      }),
    );
  }
}

/** An input that delivers what it is given. */
class GivenInput implements Input {
  readonly name: string;
  #sink: InputSink | null = null;

  constructor(name: string) {
    this.name = name;
  }

  start(sink: InputSink): Promise<void> {
    this.#sink = sink;
    sink.idle();
    return Promise.resolve();
  }

  /** Resolves when all is acknowledged. */
  async give(batches: readonly MessageBatch[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    let left = batches.length;
    for (const batch of batches) await this.#sink?.deliver({ batch, firstLine: 0, acknowledge: () => void (--left === 0 && resolve()) });
    await promise;
    this.#sink?.idle();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  stats(): InputStats {
    return { bytes: 0, records: 0, dropped: 0, totalBytes: 0 };
  }
}
