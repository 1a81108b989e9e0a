import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { errorCode } from '../../base/errors.ts';
import { errorText } from '../notices.ts';
import { DatagramQueue } from './datagram-queue.ts';
import { systemDrops } from './kernel-drops.ts';
import { descriptorOf } from './socket-table.ts';
import { Counter, type FromReader, type ReaderOptions, type ToReader } from './datagram-protocol.ts';

/** Datagrams wait at most so long for others. */
const GATHER_MS = 2;
/** Datagrams that are read at once at most: the other thread wants to be heard, too. */
const MAX_AT_ONCE = 4096;
/** A sender that never pauses does not hold up the end for longer, each time that the rest is read. */
const FINISH_MS = 100;

/** Nobody writes to it: to wait for it is to pause. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/**
 * Reads datagrams and hands them over in blocks. It does nothing else, so that the system's short buffer is always empty soon. Node tells of each datagram by
 * an event of its own, which takes several times as long as to read it; so, where no senders are wanted, the first datagram after a pause comes by an event and
 * the others are read from the socket's descriptor.
 */
export class DatagramReader {
  readonly #options: ReaderOptions;
  readonly #post: (message: FromReader, transfer?: ArrayBuffer[]) => void;
  readonly #queue: DatagramQueue;
  readonly #counters: BigInt64Array;
  #socket: Socket | null = null;
  /** Of the socket, where datagrams are read from it. */
  #descriptor: number | null = null;
  #timer: NodeJS.Timeout | null = null;
  #received = 0;
  #ending = false;
  /** Number of datagrams that the system had dropped for the socket when it was closed; null: unknown. */
  #systemDrops: number | null = null;

  constructor(options: ReaderOptions, post: (message: FromReader, transfer?: ArrayBuffer[]) => void) {
    this.#options = options;
    this.#post = post;
    this.#queue = new DatagramQueue(options.queueBytes, (block) => post({ kind: 'block', block }, [block.memory]));
    this.#counters = new BigInt64Array(options.counters);
  }

  /** Listens on the first host that can be listened on, and says how that went. */
  async start(): Promise<void> {
    let failure: unknown;
    for (const host of this.#options.hosts) {
      try {
        this.#socket = await this.#listen(host);
        break;
      } catch (error) {
        failure = error;
      }
    }
    if (this.#socket === null) return this.#tellProblem(failure);
    const { address: host, port } = this.#socket.address();
    if (!this.#options.withSenders) this.#descriptor = descriptorOf({ host, port });
    this.#post({ kind: 'listening', address: { host, port }, receiveBytes: this.#socket.getRecvBufferSize() });
  }

  receive(message: ToReader): void {
    switch (message.kind) {
      case 'done':
        this.#queue.done(message.memory);
        // Datagrams that waited for the other thread go now; a batch that is being filled goes later.
        return this.#timer === null ? this.#flush() : undefined;
      case 'finish':
        return this.#finish(performance.now() + FINISH_MS);
      case 'close':
        return this.#close();
      case 'discard':
        this.#queue.discard();
        return this.#flush();
    }
  }

  async #listen(host: string): Promise<Socket> {
    const socket = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' });
    socket.on('message', (datagram, { address }) => this.#take(datagram, address));
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind({ port: this.#options.port, address: host, exclusive: true }, resolve);
      });
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.on('error', (error) => this.#tellProblem(error));
    this.#enlarge(socket);
    return socket;
  }

  /** Some systems refuse what is too much; Linux gives as much as it may. */
  #enlarge(socket: Socket): void {
    for (let size = this.#options.receiveBytes; size >= 1 << 16; size >>= 2) {
      try {
        socket.setRecvBufferSize(size);
        return;
      } catch {
        // The next smaller one.
      }
    }
  }

  #take(datagram: Buffer, address: string): void {
    this.#received++;
    this.#queue.add(datagram, this.#options.withSenders ? address : '');
    if (this.#descriptor === null) {
      this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
      return;
    }
    Atomics.wait(PAUSE, 0, 0, GATHER_MS);
    this.#readFrom(this.#descriptor);
    this.#flush();
  }

  /** Reads what has arrived. Returns whether there may be more. */
  #readFrom(descriptor: number): boolean {
    try {
      for (let i = 0; i < MAX_AT_ONCE; i++) {
        this.#queue.read(descriptor);
        this.#received++;
      }
      return true;
    } catch {
      // There is nothing more; a problem of the socket is told by an event.
      return false;
    }
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#queue.flush();
    this.#count();
    if (this.#ending && this.#queue.isEmpty) this.#end();
  }

  /** Waits until a turn of the event loop has brought nothing. */
  #finish(deadline: number): void {
    const before = this.#received;
    // The first turn may already be over where the system is asked for datagrams; the second is a whole one.
    setImmediate(() =>
      setImmediate(() => {
        if (this.#received === before || performance.now() > deadline) this.#post({ kind: 'quiet' });
        else this.#finish(deadline);
      }),
    );
  }

  #close(): void {
    if (this.#socket !== null) this.#leave(this.#socket);
    this.#descriptor = null;
    this.#socket = null;
    this.#ending = true;
    this.#flush();
  }

  /** Closes the socket, after what the system holds for it was read, or counted as lost: nothing tells of it afterwards. */
  #leave(socket: Socket): void {
    const { address: host, port } = socket.address();
    const address = { host, port };
    if (this.#descriptor !== null) this.#readOut(this.#descriptor);
    const descriptor = this.#descriptor ?? descriptorOf(address);
    if (descriptor !== null) this.#skipOut(descriptor);
    this.#systemDrops = systemDrops(address);
    // Further datagrams may have come while the number of drops was read.
    if (descriptor !== null) this.#skipOut(descriptor);
    socket.close();
  }

  #readOut(descriptor: number): void {
    const end = performance.now() + FINISH_MS;
    while (this.#readFrom(descriptor) && performance.now() < end);
  }

  #skipOut(descriptor: number): void {
    const end = performance.now() + FINISH_MS;
    try {
      while (performance.now() < end) this.#queue.skip(descriptor);
    } catch {
      // There is nothing more.
    }
  }

  #end(): void {
    this.#ending = false;
    this.#post({ kind: 'end', systemDrops: this.#systemDrops });
  }

  #count(): void {
    Atomics.store(this.#counters, Counter.DROPPED, BigInt(this.#queue.dropped));
    Atomics.store(this.#counters, Counter.WAITING, BigInt(this.#queue.waiting));
  }

  #tellProblem(error: unknown): void {
    this.#post({ kind: 'problem', code: errorCode(error), text: errorText(error) });
  }
}
