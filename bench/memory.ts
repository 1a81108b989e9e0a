import { setTimeout as delay } from 'node:timers/promises';
import { memoryOf } from '../engine/base/process/process-memory.ts';
import { sandboxSpec } from '../engine/plugins/sandboxes.ts';
import { startSandboxes, type Sandboxes } from '../engine/plugins/starter.ts';
import { findPlugin } from '../engine/plugins/catalog.ts';
import type { Sandbox, SandboxKind } from '../engine/sandbox/contract/types.ts';
import type { Benchmark, Figure } from './report.ts';
import { LOG_FORMAT } from './samples.ts';

const COUNT = 20;
/** Milliseconds of rest, in which a host gives memory back. */
const REST_MS = 8000;

interface Measured {
  readonly kind: SandboxKind;
  readonly name: string;
  readonly config: Record<string, string>;
  /** Replaces the text of the bundled script. */
  readonly text?: string;
}

const BASIC = `
var count = 0;

function process_message() {
  if (read_message('Fields[status]') >= 500) count++;
  return 0;
}

function timer_event() {
  inject_payload('txt', 'failures', count);
}
`;

const SCRIPTS: readonly Measured[] = [
  { kind: 'filter', name: 'an empty script', config: {}, text: 'function process_message() { return 0; }' },
  { kind: 'filter', name: 'a basic script', config: {}, text: BASIC },
  { kind: 'filter', name: 'message_schema', config: {} },
  { kind: 'filter', name: 'http_status', config: {} },
  { kind: 'decoder', name: 'nginx_access', config: { log_format: LOG_FORMAT } },
];

/** Measures the memory of a sandbox: what its host and the engine have for it, and the part that its script holds. */
export const memoryBenchmark: Benchmark = {
  name: 'memory',
  title: `Memory of a sandbox (${COUNT} of each in one host)`,
  async run() {
    const figures: Figure[] = [];
    for (const script of SCRIPTS) figures.push(...(await measure(script)));
    return figures;
  },
};

async function measure({ kind, name, config, text }: Measured): Promise<Figure[]> {
  const sandboxes = startSandboxes({ hosts: 1 });
  const bundled = findPlugin(kind, text === undefined ? name : 'message_schema');
  const spec = sandboxSpec(kind, bundled, { config, text });
  const started: Sandbox[] = [await sandboxes.start(spec)];
  const before = await hostBytes(sandboxes);
  const heapBefore = heapBytes();
  const begun = performance.now();
  for (let i = 0; i < COUNT; i++) started.push(await sandboxes.start(spec));
  const startMs = (performance.now() - begun) / COUNT;
  const taken = (await hostBytes(sandboxes)) - before;
  const heap = heapBytes() - heapBefore;
  await delay(REST_MS);
  const rested = (await hostBytes(sandboxes)) - before;
  const report = await started[0]?.report();
  await sandboxes.close();
  return [
    { what: `${name}: in the host`, value: taken / COUNT / 2 ** 20, unit: 'MiB', note: 'PSS' },
    { what: `${name}: after a rest`, value: rested / COUNT / 2 ** 20, unit: 'MiB', note: 'PSS' },
    { what: `${name}: in the engine`, value: heap / COUNT / 1024, unit: 'KiB', note: 'heap, after its garbage is collected' },
    { what: `${name}: its script`, value: (report?.memory.current ?? NaN) / 1024, unit: 'KiB', note: 'above a sandbox without one' },
    { what: `${name}: start`, value: startMs, unit: 'ms' },
  ];
}

/** Bytes of memory of the hosts. */
const hostBytes = async (sandboxes: Sandboxes): Promise<number> => (await sandboxes.memory()) - (await memoryOf([process.pid]));

function heapBytes(): number {
  // A second collection frees the memory that the finalizers of the first one let go.
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
