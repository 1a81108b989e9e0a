import { Worker } from 'node:worker_threads';
import { errorText } from '../notices.ts';
import type { ListenAddress } from './address.ts';
import type { SentBlock } from './datagram-block.ts';
import { COUNTERS, Counter, type FromReader, type ReaderOptions, type ToReader } from './datagram-protocol.ts';

export interface DatagramSourceOptions extends Omit<ReaderOptions, 'counters'> {
  /** Takes the next datagrams, in order. Their memory is to be given back with `done`. */
  readonly onBlock: (block: SentBlock) => void;
  /** The socket has a problem, or its thread ended. */
  readonly onProblem: (error: Error) => void;
}

const ENTRY = new URL('./datagram-thread.ts', import.meta.url);

/** Memory of the thread for new objects, in MiB: each datagram leaves some behind, and with less room for them it pauses often. */
const YOUNG_MIB = 96;

/** A thread that reads datagrams and holds those that cannot be taken yet. */
export class DatagramSource {
  readonly #worker: Worker;
  readonly #counters = new BigInt64Array(new SharedArrayBuffer(COUNTERS * 8));
  readonly #options: DatagramSourceOptions;
  readonly #waiters = new Map<FromReader['kind'], () => void>();
  #listening: Extract<FromReader, { kind: 'listening' }> | null = null;
  #gone = false;
  #systemDrops: number | null = null;

  private constructor(options: DatagramSourceOptions) {
    this.#options = options;
    const { hosts, port, queueBytes, withSenders, receiveBytes } = options;
    const workerData: ReaderOptions = { hosts, port, queueBytes, withSenders, receiveBytes, counters: this.#counters.buffer };
    this.#worker = new Worker(ENTRY, { workerData, name: 'datagrams', env: {}, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } });
  }

  /** Resolves when it listens. Throws the system's error when it cannot. */
  static async listen(options: DatagramSourceOptions): Promise<DatagramSource> {
    const source = new DatagramSource(options);
    try {
      await source.#start();
    } catch (error) {
      await source.#worker.terminate();
      throw error;
    }
    return source;
  }

  get address(): ListenAddress {
    return this.#listening?.address ?? { host: '', port: 0 };
  }

  /** Bytes that the system holds for the socket. */
  get receiveBytes(): number {
    return this.#listening?.receiveBytes ?? 0;
  }

  /** Datagrams that found no room, or were lost with the thread. */
  get dropped(): number {
    return this.#count(Counter.DROPPED) + (this.#gone ? this.#count(Counter.WAITING) : 0);
  }

  /** Datagrams that wait for their turn. */
  get waiting(): number {
    return this.#gone ? 0 : this.#count(Counter.WAITING);
  }

  /** Gives back the memory of a block, in which the next one may come. */
  done(memory: ArrayBuffer): void {
    this.#post({ kind: 'done', memory }, [memory]);
  }

  /** Resolves when what has arrived so far is in the queue. */
  async finished(): Promise<void> {
    await this.#ask('finish', 'quiet');
  }

  /**
   * Stops listening. Resolves when all that waits has been given to `onBlock` and worked off, with the number of datagrams that the system had dropped;
   * null: it does not tell.
   */
  async close(): Promise<number | null> {
    await this.#ask('close', 'end');
    this.#gone = true;
    await this.#worker.terminate();
    return this.#systemDrops;
  }

  /** Drops and counts what waits. */
  discard(): void {
    this.#post({ kind: 'discard' });
  }

  async #start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const tell = (error: Error): void => (this.#listening === null ? reject(error) : this.#options.onProblem(error));
      const end = (reason: unknown): void => {
        if (this.#gone) return;
        this.#gone = true;
        tell(new Error(`the thread that reads it has ended: ${errorText(reason)}`));
        for (const go of this.#waiters.values()) go();
      };
      this.#worker.on('error', end);
      this.#worker.on('exit', (code) => end(`exit code ${code}`));
      this.#worker.on('message', (message: FromReader) => {
        switch (message.kind) {
          case 'listening':
            this.#listening = message;
            return resolve();
          case 'problem':
            return tell(Object.assign(new Error(message.text), { code: message.code }));
          case 'block':
            return this.#options.onBlock(message.block);
          case 'end':
            this.#systemDrops = message.systemDrops;
            return this.#waiters.get(message.kind)?.();
          default:
            return this.#waiters.get(message.kind)?.();
        }
      });
    });
  }

  async #ask(what: 'finish' | 'close', answer: 'quiet' | 'end'): Promise<void> {
    if (this.#gone) return;
    await new Promise<void>((resolve) => {
      this.#waiters.set(answer, resolve);
      this.#post({ kind: what });
    });
    this.#waiters.delete(answer);
  }

  #count(which: number): number {
    return Number(Atomics.load(this.#counters, which));
  }

  #post(message: ToReader, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, [...transfer]);
  }
}
