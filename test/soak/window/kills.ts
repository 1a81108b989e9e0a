import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../ports.ts';
import { until } from '../../until.ts';
import { Random } from '../random.ts';
import { EngineProcess } from './engine-process.ts';

const TICK_MS = 20;

export interface WindowKills {
  readonly kills: number;
  readonly recordsPerSecond: number;
  readonly seed: number;
  /** Least and most milliseconds between two kills. */
  readonly every: readonly [number, number];
}

export interface WindowKillsResult {
  /** Records that were shown before a kill and not after it. */
  readonly lost: number;
  readonly repeated: number;
  readonly shown: number;
  readonly sent: number;
}

/** Kills the engine of a window that receives syslog, and compares what it had shown with what it shows after it. */
export async function windowKills({ kills, recordsPerSecond, seed, every: [least, most] }: WindowKills): Promise<WindowKillsResult> {
  const random = new Random(seed);
  const folder = await mkdtemp(join(tmpdir(), 'sluicebox-window-'));
  const sender = new Sender(await freePort(), recordsPerSecond);
  let engine = new EngineProcess(folder);
  let lost = 0;
  try {
    await engine.request('source.listen', { protocol: 'tcp', host: '127.0.0.1', port: sender.port });
    sender.start();
    for (let kill = 0; kill < kills; kill++) {
      const before = engine.shown('tcp');
      await until(() => engine.shown('tcp') > before, 'records');
      await delay(random.between(least, most));
      await engine.kill();
      // Records that come after the kill must not stand for those that are lost.
      sender.pause();
      // What the shell has heard before the process was gone.
      const shown = engine.shown('tcp');
      engine = new EngineProcess(folder);
      await until(
        () => engine.state?.sources.some(({ kind, restoring, state }) => kind === 'tcp' && state === 'listening' && !restoring),
        'the engine',
      );
      const { sources } = await engine.request('engine.state', {});
      const now = sources.reduce((sum, { records }) => sum + records, 0);
      lost += Math.max(0, shown - now);
      sender.start();
    }
    await sender.stop();
    const lines = await engine.lines();
    const distinct = new Set(lines).size;
    await engine.stop();
    return { lost, repeated: lines.length - distinct, shown: distinct, sent: sender.sent };
  } finally {
    await sender.stop();
    await engine.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sends numbered records at a rate, and connects again when nobody takes them. */
export class Sender {
  readonly port: number;
  readonly #rate: number;
  #socket: Socket | null = null;
  #timer: NodeJS.Timeout | undefined;
  #begun = 0;
  sent = 0;

  constructor(port: number, rate: number) {
    this.port = port;
    this.#rate = rate;
  }

  start(): void {
    this.#begun = performance.now() - (this.sent / this.#rate) * 1000;
    this.#timer = setInterval(() => this.#send(), TICK_MS);
  }

  pause(): void {
    clearInterval(this.#timer);
  }

  async stop(): Promise<void> {
    this.pause();
    this.#socket?.end();
    await delay(500);
    this.#socket?.destroy();
  }

  #send(): void {
    const due = Math.floor(((performance.now() - this.#begun) / 1000) * this.#rate);
    const socket = (this.#socket ??= this.#connected());
    if (socket.writableLength > 1 << 20) return;
    let text = '';
    for (; this.sent < due; this.sent++) text += `<14>Nov 29 10:00:00 host app[1]: record ${this.sent}\n`;
    socket.write(text);
  }

  #connected(): Socket {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => (this.#socket = null));
    return socket;
  }
}
