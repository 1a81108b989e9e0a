import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { dropsIn } from '../engine/inputs/net/kernel-drops.ts';
import { socketTable } from '../engine/inputs/net/socket-table.ts';
import { quiet, receivers, storedIn, whileRunning, type Receiver } from './receivers.ts';
import { progress, type Benchmark, type Figure } from './report.ts';
import { root } from './samples.ts';

/** Nothing has been written for so long: nothing more comes. */
const QUIET_MS = 3000;

/** Rate and rhythm of datagrams: so many in a second, evenly or, in bursts, as fast as the sender can at the beginning of each second. */
interface Flood {
  readonly what: string;
  readonly rate: number;
  readonly inBursts: boolean;
}

const FLOODS: readonly Flood[] = [
  { what: '100,000/s', rate: 100_000, inBursts: false },
  { what: '200,000/s', rate: 200_000, inBursts: false },
  { what: 'bursts of 30,000', rate: 30_000, inBursts: true },
];

/** Datagrams at a rate, stored in a file, by this service and, where it is installed, by rsyslogd in turn; what is lost, and where. */
export const udpBenchmark: Benchmark = {
  name: 'udp',
  title: 'Datagrams of 100 bytes from one sender, stored in a file (--seconds N: for so long each)',
  async run({ seconds }) {
    const figures: Figure[] = [];
    for (const flood of FLOODS) for (const receiver of receivers('udp')) figures.push(...(await measure(receiver, flood, seconds)));
    return figures;
  },
};

async function measure(receiver: Receiver, { what, rate, inBursts }: Flood, seconds: number): Promise<Figure[]> {
  progress(`${what} for ${seconds} s, ${receiver.name}`);
  const { taken, used, kernel, said } = await whileRunning('udp', receiver, async ({ port, cpuSeconds, stop }) => {
    const before = cpuSeconds();
    const count = rate * seconds;
    const sender = spawn(process.execPath, [join(root, 'bench/udp-sender.ts'), ...[port, rate, count, Number(inBursts)].map(String)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let refused = '';
    sender.stdout.on('data', (chunk: Buffer) => (refused += chunk.toString()));
    await new Promise((resolve) => sender.once('exit', resolve));
    await quiet(receiver.output, QUIET_MS);
    const used = cpuSeconds() - before;
    const kernel = droppedByKernel(port);
    return { taken: count - Number(refused), used, kernel, said: await stop() };
  });
  const stored = await storedIn(receiver.output);
  const lost = taken - stored;
  const places = `${kernel} in the system's buffer for the socket, ${lost - kernel} behind it${receiver.ours ? `; it tells ${toldIn(said)}` : ''}`;
  const load = (loadavg()[0] as number).toFixed(1);
  return [
    {
      what: `${what}, ${receiver.name}: lost`,
      value: (lost / taken) * 100,
      unit: '%',
      note: `${lost} of ${taken}: ${places}; load ${load}`,
    },
    { what: `${what}, ${receiver.name}: processor time`, value: (used * 1e6) / stored, unit: 'µs/message' },
  ];
}

/** NaN where the system does not tell. */
function droppedByKernel(port: number): number {
  const address = { host: '127.0.0.1', port };
  try {
    return dropsIn(readFileSync(socketTable(address), 'latin1'), address) ?? NaN;
  } catch {
    return NaN;
  }
}

/** Number of datagrams that this service says it has lost. */
function toldIn(said: string): number {
  return [...said.matchAll(/lost (\d+) datagrams/g)].reduce((sum, [, count]) => sum + Number(count), 0);
}
