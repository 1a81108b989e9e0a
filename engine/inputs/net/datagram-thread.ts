/** The thread that reads the datagrams of a UdpInput. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderOptions, ToReader } from './datagram-protocol.ts';
import { DatagramReader } from './datagram-reader.ts';

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker');
const reader = new DatagramReader(workerData as ReaderOptions, (message, transfer = []) => port.postMessage(message, transfer));
port.on('message', (message: ToReader) => reader.receive(message));
await reader.start();
