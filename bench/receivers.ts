/** Services that store syslog in a file: this one, and rsyslogd beside it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isInstalled, RSYSLOGD } from './installed.ts';
import { treeCpuSeconds } from './processes.ts';
import { folder, root } from './samples.ts';

const LINE_FEED = 10;
const LAST_CHARACTER = 'x'.charCodeAt(0);
/** A receiver that takes longer to end is killed. */
const MOST_STOP_MS = 30_000;

export type Protocol = 'udp' | 'tcp';

/** A service that stores what comes to a port. */
export interface Receiver {
  readonly name: string;
  /** Whether it is this service. */
  readonly ours: boolean;
  readonly output: string;
  readonly start: (port: number) => ChildProcess;
}

/** A receiver at work. */
export interface Running {
  readonly port: number;
  /** Processor time of it and the processes below it, in seconds; NaN where there is no /proc. */
  readonly cpuSeconds: () => number;
  /** Ends it, and resolves to what it has said on standard error. */
  readonly stop: () => Promise<string>;
}

/** This service without and with a decoder, and rsyslogd where it is installed. */
export function receivers(protocol: Protocol): Receiver[] {
  const found = [sluicebox(protocol, 'undecoded', ''), sluicebox(protocol, 'rfc3164', 'decoder = "rfc3164"\n')];
  return isInstalled(RSYSLOGD) ? [...found, rsyslogd(protocol)] : found;
}

/** Starts a receiver with an empty file, does the work when it listens, and stops it. */
export async function whileRunning<T>(protocol: Protocol, { output, start }: Receiver, work: (running: Running) => Promise<T>): Promise<T> {
  writeFileSync(output, '');
  const port = await freePort();
  const receiver = start(port);
  let said = '';
  receiver.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise((resolve) => receiver.once('close', resolve));
  const stop = async (): Promise<string> => {
    receiver.kill('SIGTERM');
    await Promise.race([ended, delay(MOST_STOP_MS)]);
    receiver.kill('SIGKILL');
    await ended;
    return said;
  };
  try {
    await listening(protocol, port);
    return await work({ port, cpuSeconds: () => treeCpuSeconds(receiver.pid), stop });
  } finally {
    await stop();
  }
}

/** Counts the messages of the senders in a file, which end in `x`. */
export async function storedIn(path: string): Promise<number> {
  let count = 0;
  let last = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, end + 1)) {
      if ((end === 0 ? last : chunk[end - 1]) === LAST_CHARACTER) count++;
    }
    last = chunk.at(-1) ?? last;
  }
  return count;
}

/** Resolves when a file has not grown for so long. Returns when it grew last, by `performance.now()`. */
export async function quiet(output: string, quietMs: number): Promise<number> {
  let size = -1;
  let since = performance.now();
  for (; performance.now() - since < quietMs; await delay(20)) {
    const now = statSync(output).size;
    if (now !== size) since = performance.now();
    size = now;
  }
  return since;
}

/** This service, with the lines of its input section that name a decoder. */
export function sluicebox(protocol: Protocol, name: string, decoder: string): Receiver {
  const file = (ending: string): string => join(folder, `${protocol}-${name}${ending}`);
  const type = protocol === 'udp' ? 'UdpInput' : 'TcpInput';
  return {
    name,
    ours: true,
    output: file('.log'),
    start(port) {
      const text =
        `[svcd]\nbase_dir = ${JSON.stringify(file(''))}\n` +
        `[in]\ntype = "${type}"\naddress = "127.0.0.1:${port}"\n${decoder}` +
        `[out]\ntype = "FileOutput"\nmessage_matcher = "TRUE"\npath = ${JSON.stringify(file('.log'))}\nencoder = "plain_text"\n`;
      writeFileSync(file('.toml'), text);
      return spawn(process.execPath, [join(root, 'engine/cli/main.ts'), 'run', file('.toml')], { stdio: ['ignore', 'ignore', 'pipe'] });
    },
  };
}

export function rsyslogd(protocol: Protocol): Receiver {
  const output = join(folder, `${protocol}-rsyslogd.log`);
  return {
    name: 'rsyslogd',
    ours: false,
    output,
    start(port) {
      const config = join(folder, `${protocol}-rsyslogd.conf`);
      const text =
        `module(load="im${protocol}")\ninput(type="im${protocol}" address="127.0.0.1" port="${port}" ruleset="all")\n` +
        `ruleset(name="all" queue.type="FixedArray" queue.size="200000") { action(type="omfile" file="${output}") }\n`;
      writeFileSync(config, text);
      return spawn('rsyslogd', ['-n', '-f', config, '-i', join(folder, 'rsyslogd.pid')], { stdio: 'ignore' });
    },
  };
}

/** Waits until the receiver has bound the port. */
async function listening(protocol: Protocol, port: number): Promise<void> {
  for (let i = 0; i < 300; i++) {
    if (!(await isFree[protocol](port))) return delay(500);
    await delay(100);
  }
  throw new Error('the receiver does not listen');
}

const isFree: Readonly<Record<Protocol, (port: number) => Promise<boolean>>> = {
  async udp(port) {
    const socket = createSocket('udp4');
    const free = await new Promise<boolean>((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    socket.close();
    return free;
  },
  async tcp(port) {
    const server = createServer();
    const free = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
    });
    if (free) await new Promise((done) => server.close(done));
    return free;
  },
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
