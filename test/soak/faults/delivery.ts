import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { slowness } from '../../patience.ts';
import { freePort } from '../../ports.ts';
import { LogWriter, type RotationKind } from '../log-writer.ts';
import { Random } from '../random.ts';
import { SlowTarget } from '../rotation/slow-target.ts';
import { Service } from '../service.ts';
import { Tally } from '../tally.ts';
import type { FaultResult } from './fault.ts';

const TICK_MS = 20;
const SILENCE_MS = 10_000;

/** What a fault may do to a delivery under way. */
export interface Delivery {
  readonly folder: string;
  readonly random: Random;
  readonly service: Service;
  readonly target: SlowTarget;
  readonly tally: Tally;
  /** Kills the service, and starts it again. */
  restart(): Promise<void>;
  /** Asks the service to stop; resolves to its exit code and the milliseconds that it took. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>;
  start(): void;
}

export interface DeliveryOptions {
  readonly seed: number;
  readonly records: number;
  readonly recordsPerSecond: number;
  readonly rotation?: RotationKind;
  readonly recordsPerFile?: number;
  /** Further sections of the configuration, and scripts beside it. */
  readonly sections?: (folder: string) => string;
  readonly env?: (folder: string) => Record<string, string>;
  /** Does the fault, again and again while the log is written; returns how often. */
  readonly act: (delivery: Delivery) => Promise<number>;
  readonly note?: (delivery: Delivery) => string;
  /** Whether the service is begun again when it has ended by itself, as a supervisor does. */
  readonly supervised?: boolean;
  /** Looks at what came, before all is removed. */
  readonly finish?: (figures: FaultResult, delivery: Delivery) => Promise<void>;
}

/** A log that is written and rotated, a service with a filter of its own host, and a TCP server that counts what comes. */
export async function deliver(options: DeliveryOptions): Promise<FaultResult> {
  const { seed, records, recordsPerSecond, rotation = 'rename', recordsPerFile = 5000, sections, act, env } = options;
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-fault-'));
  const tally = new Tally();
  const target = new SlowTarget(Infinity, (line) => tally.count(line, 0));
  const port = await freePort();
  await target.listen(port);
  const log = new LogWriter('log', join(folder, 'app.log'), rotation, recordsPerFile);
  log.write(1);
  const config = configuration(folder, port, sections?.(folder) ?? '');
  const started = (): Service => new Service(config, folder, { env: env?.(folder) ?? {} });
  let service = started();
  const delivery: Delivery = {
    folder,
    random: new Random(seed),
    get service() {
      return service;
    },
    target,
    tally,
    restart: async () => {
      await service.kill();
      service = started();
    },
    stop: async () => {
      const begun = performance.now();
      const code = await service.stop();
      return { code, ms: performance.now() - begun };
    },
    start: () => void (service = started()),
  };
  let stopSupervising = (): void => undefined;
  try {
    await settled(tally, 1);
    const begun = performance.now();
    const writing = setInterval(() => {
      const due = Math.min(records, Math.floor(((performance.now() - begun) / 1000) * recordsPerSecond));
      if (due > log.written) log.write(due - log.written);
    }, TICK_MS);
    const supervising = options.supervised === true ? setInterval(() => service.isRunning || delivery.start(), 300) : undefined;
    stopSupervising = () => clearInterval(supervising);
    const tried = await act(delivery).finally(() => clearInterval(writing));
    if (log.written < records) log.write(records - log.written);
    await settled(tally, records);
    const { lost, repeated } = tally.figures(new Map([['log', records]]), () => true);
    const note = options.note?.(delivery);
    const result = { tried, lost, repeated, late: 0, said: service.said, ...(note === undefined ? {} : { note }) };
    await options.finish?.(result, delivery);
    return result;
  } finally {
    stopSupervising();
    service.signal('SIGCONT');
    await service.kill();
    await target.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits until so many records have come, or none comes any more. */
export async function settled(tally: Tally, records: number): Promise<void> {
  let last = -1;
  for (let since = performance.now(); tally.distinct < records && performance.now() - since < SILENCE_MS * slowness();) {
    await delay(TICK_MS);
    if (tally.distinct !== last) since = performance.now();
    last = tally.distinct;
  }
}

/** Runs a fault so many times, with pauses within these milliseconds in front of each. */
export async function repeatedly(
  times: number,
  { random }: Delivery,
  pause: readonly [number, number],
  fault: () => Promise<void> | void,
): Promise<number> {
  for (let i = 0; i < times; i++) {
    await delay(random.between(...pause));
    await fault();
  }
  return times;
}

const FILTER = 'let seen = 0;\nfunction process_message() { seen++; return 0; }\nfunction timer_event(ns) {}\n';
const ENCODER = `function process_message() { inject_payload('txt', '', read_message('Payload'), '\\n'); return 0; }\n`;

function configuration(folder: string, port: number, sections: string): string {
  writeFileSync(join(folder, 'line.js'), ENCODER);
  writeFileSync(join(folder, 'count.js'), FILTER);
  const path = join(folder, 'fault.toml');
  writeFileSync(
    path,
    `[svcd]
base_dir = ${JSON.stringify(join(folder, 'base'))}
[app]
type = "FileInput"
paths = [${JSON.stringify(join(folder, 'app.log'))}]
[line]
type = "SandboxEncoder"
filename = ${JSON.stringify(join(folder, 'line.js'))}
[count]
type = "SandboxFilter"
filename = ${JSON.stringify(join(folder, 'count.js'))}
message_matcher = "Type == 'logfile'"
ticker_interval = 1
[tcp]
type = "TcpOutput"
address = "127.0.0.1:${port}"
message_matcher = "Type == 'logfile'"
encoder = "line"
use_buffering = false
${sections}
`,
  );
  return path;
}
