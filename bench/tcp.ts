import { spawn } from 'node:child_process';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { quiet, receivers, storedIn, whileRunning, type Receiver } from './receivers.ts';
import { progress, type Benchmark, type Figure } from './report.ts';
import { root } from './samples.ts';

const CONNECTIONS = [1, 4];
const QUIET_MS = 1000;

/** Syslog lines over TCP, stored in a file, by this service and, where it is installed, by rsyslogd in turn. */
export const tcpBenchmark: Benchmark = {
  name: 'tcp',
  title: 'Syslog lines of 100 bytes over TCP, stored in a file (--messages N: so many)',
  async run({ messages }) {
    const figures: Figure[] = [];
    for (const connections of CONNECTIONS) {
      for (const receiver of receivers('tcp')) figures.push(...(await measure(receiver, connections, messages)));
    }
    return figures;
  },
};

async function measure(receiver: Receiver, connections: number, messages: number): Promise<Figure[]> {
  progress(`${messages} messages over ${connections} connections, ${receiver.name}`);
  const { seconds, cpuSeconds, stored } = await receive(receiver, connections, messages);
  const what = `${connections} connection${connections === 1 ? '' : 's'}, ${receiver.name}`;
  const note = `${messages - stored} of ${messages} lost; load ${(loadavg()[0] as number).toFixed(1)}`;
  return [
    { what, value: stored / seconds, unit: 'messages/s', note },
    { what: `${what}: processor time`, value: (cpuSeconds * 1e6) / stored, unit: 'µs/message' },
  ];
}

/** Cost of receiving, from the start of the sender until the file has all that comes. */
export interface Received {
  readonly seconds: number;
  /** Processor time of the receiver. */
  readonly cpuSeconds: number;
  /** Messages in its file. */
  readonly stored: number;
}

/** Sends so many messages to a receiver that is started for them. */
export function receive(receiver: Receiver, connections: number, messages: number): Promise<Received> {
  return whileRunning('tcp', receiver, async ({ port, cpuSeconds }) => {
    const before = cpuSeconds();
    const started = performance.now();
    const sender = spawn(process.execPath, [join(root, 'bench/tcp-sender.ts'), String(port), String(connections), String(messages)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await new Promise((resolve) => sender.once('exit', resolve));
    const seconds = ((await quiet(receiver.output, QUIET_MS)) - started) / 1000;
    const used = cpuSeconds() - before;
    return { seconds, cpuSeconds: used, stored: await storedIn(receiver.output) };
  });
}
