/** Sends numbered syslog lines of 100 bytes as fast as they are taken: PORT CONNECTIONS COUNT. */
import { once } from 'node:events';
import { connect } from 'node:net';

const [port = 0, connections = 1, count = 0] = process.argv.slice(2).map(Number);
const HEAD = '<34>Oct 11 22:14:15 host app[123]: ';
const REST = `${' '.padEnd(100 - HEAD.length - 8 - 1, 'x')}\n`;
const LINES = 640;

async function send(from: number, to: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  for (let at = from; at < to; at += LINES) {
    let text = '';
    for (let line = at; line < Math.min(to, at + LINES); line++) text += HEAD + String(line).padStart(8, '0') + REST;
    if (!socket.write(text, 'latin1')) await once(socket, 'drain');
  }
  socket.end();
  await once(socket, 'close');
}

const share = Math.ceil(count / connections);
await Promise.all(Array.from({ length: connections }, (_, i) => send(i * share, Math.min(count, (i + 1) * share))));
