import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { hostCommand } from '../../engine/sandbox/hosts/host-command.ts';
import type { HostCrash } from '../../engine/sandbox/hosts/host-process.ts';
import type { Sandbox, SandboxKind, SandboxLimits, SandboxResult } from '../../engine/sandbox/contract/types.ts';
import { batchOf, line, messagesOf, SandboxBench } from '../engine/sandbox/harness.ts';

const scripts = join(import.meta.dirname, 'scripts');
const modules = [join(import.meta.dirname, 'modules')];

/** The limit on time where it is what ends the script, … */
const CALL_MS = 500;
/** … where memory may end it before, … */
const HEAVY_CALL_MS = 1000;
/** … and where another limit has to, however slow the machine is. */
const LONG_CALL_MS = 30_000;

/** A hostile script, as its first lines describe it. */
interface Attack {
  readonly file: string;
  /** The reason with which it has to end. */
  readonly ends: RegExp;
  readonly at: 'load' | 'process' | 'timer';
  readonly kind: SandboxKind;
  readonly limits: Partial<SandboxLimits>;
  readonly batches: number;
  readonly rows: number;
}

function attackOf(file: string): Attack {
  const head = Object.fromEntries(
    [...readFileSync(join(scripts, file), 'utf8').matchAll(/^\/\/ (\w+): (.*)$/gm)].map(([, key, value]) => [key, value]),
  );
  const ends: string = head['ends'] ?? '';
  return {
    file,
    ends: new RegExp(ends),
    at: (head['at'] ?? 'process') as Attack['at'],
    kind: (head['kind'] ?? 'filter') as SandboxKind,
    limits: {
      callMs: !ends.includes('time limit') ? LONG_CALL_MS : ends.includes('memory_limit') ? HEAVY_CALL_MS : CALL_MS,
      ...(JSON.parse(head['limits'] ?? '{}') as Partial<SandboxLimits>),
    },
    batches: Number(head['batches'] ?? 1),
    rows: Number(head['rows'] ?? 2),
  };
}

const attacks = readdirSync(scripts).map(attackOf);

const crashes: HostCrash[] = [];
const bench = new SandboxBench({ hosts: 1, graceMs: 300, onHostCrash: (crash) => crashes.push(crash) });
afterAll(() => bench.close());

/** Runs the attack until it ends, and returns the reason. */
async function outcome({ file, at, kind, limits, batches, rows }: Attack): Promise<string> {
  let sandbox: Sandbox;
  try {
    sandbox = await bench.startFile(join(scripts, file), { kind, modules, limits, writes: kind === 'output' });
  } catch (error) {
    if (at !== 'load') throw error;
    return (error as Error).message;
  }
  const batch = batchOf(Array.from({ length: rows }, (_, i) => line(`line ${i}`)));
  for (let i = 0; i < batches; i++) {
    const result: SandboxResult | Error = await (at === 'timer' ? sandbox.timer(1n) : sandbox.process(batch, null)).catch(
      (error: Error) => error,
    );
    if (result instanceof Error) return result.message;
    if (result.terminated !== null) return result.terminated.reason;
  }
  return 'it has not ended';
}

const decoderWitness = bench.start(
  `const w = message_writer([{ name: 'line', kind: 'slice' }]);
   function process_message() { const { start, end } = payload_span(); w.slice(0, start, end); w.inject(); return 0; }`,
  { name: 'witness decoder', kind: 'decoder' },
);
const filterWitness = bench.start(
  `var seen = 0, sum = 0; const graph = new Map(); globalThis.graph = graph;
   function process_message() { seen++; sum += read_message('Pid'); globalThis.graph.set(seen % 7, sum); return 0; }
   function timer_event() { inject_message({ Payload: [seen, sum, globalThis.graph.get(seen % 7)].join() }); }`,
  { name: 'witness filter' },
);
let sent = 0;
let counted = 0;
let sum = 0;

/** Gives the witness a batch and checks that each of its lines comes back once, in order. */
async function askWitness(): Promise<void> {
  const lines = Array.from({ length: 50 }, () => `witness ${sent++}`);
  const result = await (await decoderWitness).process(batchOf(lines.map(line)), null);
  expect(messagesOf(result).map(({ fields }) => fields[0]?.values[0])).toEqual(lines);
}

/** Gives the other witness some numbers, and checks that it has counted each number that it ever got exactly once. */
async function askFilter(): Promise<void> {
  const numbers = Array.from({ length: 30 }, (_, i) => counted + i);
  counted += numbers.length;
  sum += numbers.reduce((a, b) => a + b, 0);
  const filter = await filterWitness;
  const expected = [counted, sum, sum].join();
  const [processed, result] = await Promise.all([
    filter.process(batchOf(numbers.map((pid) => ({ ...line(''), pid }))), null),
    filter.timer(1n),
  ]);
  expect(processed.terminated).toBeNull();
  expect(messagesOf(result)[0]?.payload).toBe(expected);
}

describe('a hostile script ends for the right reason, and the others go on', () => {
  test.each(attacks.map((attack) => [attack.file, attack] as const))('%s', async (_file, attack) => {
    await Promise.all([decoderWitness, filterWitness]);
    const attacked = outcome(attack);
    await Promise.all([askWitness(), askFilter(), askWitness()]);
    expect(await attacked).toMatch(attack.ends);
    await Promise.all([askWitness(), askFilter()]);
  });

  test('and some of them took their host down', () => {
    expect(crashes.length).toBeGreaterThan(0);
    // Memory that a script has left behind after its end may be too much as well.
    expect(crashes.filter(({ running, killed }) => running === 0 && killed !== 'heavy')).toEqual([]);
  });
});

describe('a sandbox host', () => {
  const probes = {
    file: `require('node:fs').readFileSync('/etc/passwd')`,
    write: `require('node:fs').writeFileSync('/tmp/sluicebox-probe', '')`,
    directory: `require('node:fs').readdirSync('/')`,
    process: `require('node:child_process').spawnSync('true')`,
    worker: `new (require('node:worker_threads').Worker)('1', { eval: true })`,
    network: `require('node:net').connect(9, '127.0.0.1')`,
    server: `require('node:net').createServer().listen(0)`,
    datagrams: `require('node:dgram').createSocket('udp4').bind(0)`,
    names: `require('node:dns').lookupService('127.0.0.1', 22, (error) => { throw error; })`,
  };

  test.each(Object.entries(probes))('has no right to reach a %s', (_name, code) => {
    const { file, args, env } = hostCommand();
    const probe = `try { ${code}; } catch (error) { process.exit(error.code === 'ERR_ACCESS_DENIED' ? 7 : 8); }
      process.on('uncaughtException', (error) => process.exit(error.code === 'ERR_ACCESS_DENIED' ? 7 : 9));
      setTimeout(() => process.exit(0), 200);`;
    const { status } = spawnSync(file, [...args.slice(0, -1), '-e', probe], { env });
    expect(status).toBe(7);
  });

  test('has nothing of the environment', () => {
    expect(hostCommand().env).toEqual({
      TZ: 'UTC',
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '524288',
      MALLOC_TRIM_THRESHOLD_: '1048576',
    });
  });
});
