import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { quiet, receivers, whileRunning, type Receiver } from './receivers.ts';
import type { Benchmark, Figure } from './report.ts';
import { root } from './samples.ts';

const RATES = [100_000, 200_000];
const SECONDS = Number(process.env['SLUICEBOX_BENCH_SECONDS'] ?? 10);
/** Nothing has been written for so long: nothing more comes. */
const QUIET_MS = 3000;

/** Datagrams at a rate, stored in a file, by this service and, where it is installed, by rsyslogd in turn. */
export const udpBenchmark: Benchmark = {
  name: 'udp',
  title: `Datagrams of 100 bytes from one sender for ${SECONDS} s, stored in a file`,
  async run() {
    const figures: Figure[] = [];
    for (const rate of RATES) for (const receiver of receivers('udp')) figures.push(...(await measure(receiver, rate)));
    return figures;
  },
};

function measure(receiver: Receiver, rate: number): Promise<Figure[]> {
  return whileRunning('udp', receiver, async ({ port, cpuSeconds }) => {
    const before = cpuSeconds();
    const count = rate * SECONDS;
    const sender = spawn(process.execPath, [join(root, 'bench/udp-sender.ts'), String(port), String(rate), String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    sender.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await new Promise((resolve) => sender.once('exit', resolve));
    await quiet(receiver.output, QUIET_MS);
    const sent = count - Number(printed);
    const stored = readFileSync(receiver.output, 'latin1').split('xxxx\n').length - 1;
    const used = cpuSeconds() - before;
    const load = (loadavg()[0] as number).toFixed(1);
    const what = `${rate.toLocaleString('en')}/s, ${receiver.name}`;
    return [
      { what: `${what}: lost`, value: ((sent - stored) / sent) * 100, unit: '%', note: `${sent - stored} of ${sent}; load ${load}` },
      { what: `${what}: processor time`, value: (used * 1e6) / stored, unit: 'µs/message' },
    ];
  });
}
