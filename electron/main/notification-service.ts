import { connect } from 'node:net';

/** Milliseconds within which a service of notifications answers. */
const ANSWER_MS = 2000;
const NAME = 'org.freedesktop.Notifications';
/** The serial number of the question; the first message only says hello to the bus. */
const QUESTION = 2;
const HELLO = { path: '/org/freedesktop/DBus', to: 'org.freedesktop.DBus', of: 'org.freedesktop.DBus', member: 'Hello' };
const GET_INFORMATION = { path: '/org/freedesktop/Notifications', to: NAME, of: NAME, member: 'GetServerInformation' };

/**
 * Says whether the service that shows notifications on Linux answers, by asking it for its name: Electron waits for its answers
 * with the whole shell, up to 25 s for each. @param address of the session's bus. @returns true also where there is no bus or no such service, which takes no time
 */
export async function notificationsAnswer(address: string | undefined, wait = ANSWER_MS): Promise<boolean> {
  const path = socketPath(address ?? '');
  if (path === null) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(path);
  const timer = setTimeout(() => resolve(false), wait);
  let received = Buffer.alloc(0);
  let begun = false;
  socket.on('connect', () => socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`));
  socket.on('error', () => resolve(true));
  socket.on('close', () => resolve(true));
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes]);
    if (!begun) {
      const end = received.indexOf('\r\n');
      if (end < 0) return;
      if (!received.toString('latin1').startsWith('OK ')) return resolve(true);
      received = received.subarray(end + 2);
      begun = true;
      socket.write(Buffer.concat([Buffer.from('BEGIN\r\n'), call(1, HELLO), call(QUESTION, GET_INFORMATION)]));
    }
    try {
      for (let size = messageSize(received); size !== null && size <= received.length; size = messageSize(received)) {
        if (answers(received.subarray(0, size)) === QUESTION) resolve(true);
        received = received.subarray(size);
      }
    } catch {
      // No message of D-Bus: Electron finds out by itself.
      resolve(true);
    }
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}

/** The socket of a bus: `unix:path=/run/user/1000/bus,guid=…`; null: it has none. */
function socketPath(address: string): string | null {
  const [, kind, written] = /(?:^|;)unix:(?:[^;]*,)?(path|abstract)=([^,;]+)/.exec(address) ?? [];
  if (written === undefined) return null;
  const path = decodeURIComponent(written);
  return kind === 'abstract' ? `\0${path}` : path;
}

/** Codes of the fields of a D-Bus header, with their types. */
const [PATH, INTERFACE, MEMBER, REPLY_SERIAL, DESTINATION] = [1, 2, 3, 5, 6];
const HEADER_SIZE = 16;

/** A call without arguments, as D-Bus sends it. */
function call(serial: number, { path, to, of, member }: typeof HELLO): Buffer {
  const fields = [
    [PATH, 'o', path],
    [INTERFACE, 's', of],
    [MEMBER, 's', member],
    [DESTINATION, 's', to],
  ] as const;
  const list = Buffer.concat(fields.map(([code, type, text], i) => field(code, type, text, i === fields.length - 1)));
  const head = Buffer.alloc(HEADER_SIZE);
  head.set([0x6c, 1, 0, 1]);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(list.length, 12);
  return Buffer.concat([head, padded(list)]);
}

/** A field of a header; all but the last one end where the next may begin. */
function field(code: number, type: 'o' | 's', text: string, last: boolean): Buffer {
  const bytes = Buffer.alloc(8 + Buffer.byteLength(text) + 1);
  bytes.set([code, 1, type.charCodeAt(0), 0]);
  bytes.writeUInt32LE(Buffer.byteLength(text), 4);
  bytes.write(text, 8);
  return last ? bytes : padded(bytes);
}

const aligned = (size: number, to: number): number => Math.ceil(size / to) * to;
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length, 8) - bytes.length)]);

/** Bytes of the message that begins here; null: that is not known yet. */
function messageSize(bytes: Buffer): number | null {
  if (bytes.length < HEADER_SIZE) return null;
  return aligned(HEADER_SIZE + bytes.readUInt32LE(12), 8) + bytes.readUInt32LE(4);
}

/** The serial number of the message that this one answers; null: none. */
function answers(message: Buffer): number | null {
  const end = HEADER_SIZE + message.readUInt32LE(12);
  for (let at = HEADER_SIZE; at + 4 < end; at = aligned(at, 8)) {
    const [code, type] = [message[at], String.fromCharCode(message[at + 2] ?? 0)];
    at += 4;
    if (code === REPLY_SERIAL && type === 'u') return message.readUInt32LE(at);
    if (type === 'u') at += 4;
    else if (type === 'g') at += (message[at] ?? 0) + 2;
    else at += 4 + message.readUInt32LE(at) + 1;
  }
  return null;
}
