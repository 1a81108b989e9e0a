/** The thread that reads the datagrams of a UdpInput. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderOptions, ToReader } from './datagram-protocol.ts';
import { DatagramReader } from './datagram-reader.ts';

/** Before other threads and processes of the machine, where this may be asked for: what the system holds for the socket is a few milliseconds of a flood. */
const PRIORITY = -10;

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker');
raisePriority();
const reader = new DatagramReader(workerData as ReaderOptions, (message, transfer = []) => port.postMessage(message, transfer));
port.on('message', (message: ToReader) => reader.receive(message));
await reader.start();

/** On Linux the number 0 stands for this thread, elsewhere for the whole process. */
function raisePriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, PRIORITY);
  } catch {
    // Only the superuser may, and those whom the system lets (RLIMIT_NICE).
  }
}
