import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createSocket } from 'node:dgram';
import type { Benchmark, Figure } from './report.ts';
import { folder, root } from './samples.ts';

const RATES = [100_000, 200_000];
const SECONDS = Number(process.env['SLUICEBOX_BENCH_SECONDS'] ?? 10);
/** Nothing has been written for so long: nothing more comes. */
const QUIET_MS = 3000;

interface Receiver {
  readonly name: string;
  readonly output: string;
  readonly start: (port: number) => ChildProcess;
}

/** Datagrams at a rate, stored in a file, by this service and, where it is installed, by rsyslogd in turn. */
export const udpBenchmark: Benchmark = {
  name: 'udp',
  title: `Datagrams of 100 bytes from one sender for ${SECONDS} s, stored in a file`,
  async run() {
    const figures: Figure[] = [];
    for (const rate of RATES) for (const receiver of receivers()) figures.push(...(await measure(receiver, rate)));
    return figures;
  },
};

function receivers(): Receiver[] {
  const found = [sluicebox('undecoded', ''), sluicebox('rfc3164', 'decoder = "rfc3164"\n')];
  return isInstalled('rsyslogd') ? [...found, rsyslogd()] : found;
}

function sluicebox(name: string, decoder: string): Receiver {
  const output = join(folder, `udp-${name}.log`);
  return {
    name: `${name}`,
    output,
    start(port) {
      const config = join(folder, `udp-${name}.toml`);
      const text =
        `[svcd]\nbase_dir = ${JSON.stringify(join(folder, `udp-${name}`))}\n` +
        `[in]\ntype = "UdpInput"\naddress = "127.0.0.1:${port}"\n${decoder}` +
        `[out]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\npath = ${JSON.stringify(output)}\nencoder = "plain_text"\n`;
      writeFileSync(config, text);
      return spawn(process.execPath, [join(root, 'engine/cli/main.ts'), 'run', config], { stdio: 'ignore' });
    },
  };
}

function rsyslogd(): Receiver {
  const output = join(folder, 'udp-rsyslogd.log');
  return {
    name: 'rsyslogd',
    output,
    start(port) {
      const config = join(folder, 'udp-rsyslogd.conf');
      const text =
        `module(load="imudp")\ninput(type="imudp" address="127.0.0.1" port="${port}" ruleset="all")\n` +
        `ruleset(name="all" queue.type="FixedArray" queue.size="200000") { action(type="omfile" file="${output}") }\n`;
      writeFileSync(config, text);
      return spawn('rsyslogd', ['-n', '-f', config, '-i', join(folder, 'rsyslogd.pid')], { stdio: 'ignore' });
    },
  };
}

async function measure({ name, output, start }: Receiver, rate: number): Promise<Figure[]> {
  writeFileSync(output, '');
  const port = await freePort();
  const receiver = start(port);
  try {
    await listening(port);
    const before = cpuSeconds(receiver.pid);
    const count = rate * SECONDS;
    const sender = spawn(process.execPath, [join(root, 'bench/udp-sender.ts'), String(port), String(rate), String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    sender.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await new Promise((resolve) => sender.once('exit', resolve));
    await quiet(output);
    const sent = count - Number(printed);
    const stored = readFileSync(output, 'latin1').split('xxxx\n').length - 1;
    const used = cpuSeconds(receiver.pid) - before;
    const load = (loadavg()[0] as number).toFixed(1);
    const what = `${rate.toLocaleString('en')}/s, ${name}`;
    return [
      { what: `${what}: lost`, value: ((sent - stored) / sent) * 100, unit: '%', note: `${sent - stored} of ${sent}; load ${load}` },
      { what: `${what}: processor time`, value: (used * 1e6) / stored, unit: 'µs/message' },
    ];
  } finally {
    const ended = new Promise((resolve) => receiver.once('exit', resolve));
    receiver.kill('SIGTERM');
    await Promise.race([ended, delay(10_000)]);
    receiver.kill('SIGKILL');
  }
}

/** Waits until the receiver has bound the port. */
async function listening(port: number): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const socket = createSocket('udp4');
    const isFree = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    socket.close();
    if (!isFree) return delay(500);
    await delay(100);
  }
  throw new Error('the receiver does not listen');
}

async function quiet(output: string): Promise<void> {
  let size = -1;
  for (let since = performance.now(); performance.now() - since < QUIET_MS; await delay(100)) {
    const now = statSync(output).size;
    if (now !== size) since = performance.now();
    size = now;
  }
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  socket.close();
  return port;
}

/** Processor time of a process and those below it; NaN where there is no /proc. */
function cpuSeconds(pid: number | undefined): number {
  if (!existsSync(`/proc/${pid}/stat`)) return NaN;
  const numbers = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
  const own = (Number(numbers[11]) + Number(numbers[12])) / 100;
  return children.reduce((sum, child) => sum + (cpuSeconds(Number(child)) || 0), own);
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
