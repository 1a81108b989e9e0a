/**
 * Sends numbered datagrams of 100 bytes: PORT RATE COUNT BURSTS. So many in a second, evenly or, with BURSTS = 1, at the beginning of each second as fast
 * as it can. Prints how many the system did not take.
 */
import { createSocket } from 'node:dgram';

const [port = 0, rate = 0, count = 0, bursts = 0] = process.argv.slice(2).map(Number);
const HEAD = '<34>Oct 11 22:14:15 host app[123]: ';
const REST = ' '.padEnd(100 - HEAD.length - 8, 'x');
const TICK_MS = 1;

const socket = createSocket({ type: 'udp4', sendBufferSize: 1 << 20 });
// A receiver that has ended is told by the sends as well.
socket.on('error', () => undefined);
await new Promise<void>((resolve) => socket.connect(port, '127.0.0.1', resolve));
let sent = 0;
let refused = 0;
let done = 0;
const taken = (error: Error | null): void => {
  if (error !== null) refused++;
  done++;
  if (done < count) return;
  process.stdout.write(`${refused}\n`);
  socket.close();
};
const started = performance.now();
const dueAt = (seconds: number): number => (bursts === 1 ? Math.ceil(seconds) * rate : Math.floor(seconds * rate));
const send = (): void => {
  const due = Math.min(count, dueAt((performance.now() - started) / 1000));
  for (; sent < due; sent++) socket.send(HEAD + String(sent).padStart(8, '0') + REST, taken);
  if (sent < count) setTimeout(send, TICK_MS);
};
send();
