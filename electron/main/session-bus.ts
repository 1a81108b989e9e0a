import { connect } from 'node:net';

/** Milliseconds within which a service answers that does not hang. */
const ANSWER_MS = 2000;
/** The serial number of the question; the first message only says hello to the bus. */
const QUESTION = 2;

/** A call without arguments. */
interface Call {
  readonly path: string;
  readonly to: string;
  readonly of: string;
  readonly member: string;
}

const HELLO: Call = { path: '/org/freedesktop/DBus', to: 'org.freedesktop.DBus', of: 'org.freedesktop.DBus', member: 'Hello' };
const NOTIFICATIONS = 'org.freedesktop.Notifications';
const WHO_NOTIFIES: Call = { path: '/org/freedesktop/Notifications', to: NOTIFICATIONS, of: NOTIFICATIONS, member: 'GetServerInformation' };
const TRAY: Call = { path: '/StatusNotifierWatcher', to: 'org.kde.StatusNotifierWatcher', of: 'org.freedesktop.DBus.Peer', member: 'Ping' };

/** How a call ended. `silence`: no answer in time; `no bus`: it could not be sent. */
type Outcome = 'result' | 'error' | 'silence' | 'no bus';

/**
 * Says whether the service that shows notifications on Linux answers: Electron waits for its answers with the whole shell, up to
 * 25 s for each. @param address of the session's bus. @returns true also where there is no bus or no such service, which takes no time
 */
export async function notificationsAnswer(address: string | undefined, wait = ANSWER_MS): Promise<boolean> {
  return (await ask(address, WHO_NOTIFIES, wait)) !== 'silence';
}

/** Says whether a desktop of Linux has a place for icons. */
export async function hasNotificationArea(address: string | undefined, wait = ANSWER_MS): Promise<boolean> {
  return (await ask(address, TRAY, wait)) === 'result';
}

/** Calls a service on the bus of the session, and nobody waits for it but who asks. */
async function ask(address: string | undefined, question: Call, wait: number): Promise<Outcome> {
  const path = socketPath(address ?? '');
  if (path === null) return 'no bus';
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const socket = connect(path);
  const timer = setTimeout(() => resolve('silence'), wait);
  let received = Buffer.alloc(0);
  let begun = false;
  socket.on('connect', () => socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')}\r\n`));
  socket.on('error', () => resolve('no bus'));
  socket.on('close', () => resolve('no bus'));
  socket.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    if (!begun) {
      const end = received.indexOf('\r\n');
      if (end < 0) return;
      if (!received.toString('latin1').startsWith('OK ')) return resolve('no bus');
      received = received.subarray(end + 2);
      begun = true;
      socket.write(Buffer.concat([Buffer.from('BEGIN\r\n'), encoded(1, HELLO), encoded(QUESTION, question)]));
    }
    try {
      for (let size = messageSize(received); size !== null && size <= received.length; size = messageSize(received)) {
        if (answers(received.subarray(0, size)) === QUESTION) resolve(received[1] === RESULT ? 'result' : 'error');
        received = received.subarray(size);
      }
    } catch {
      // No message of D-Bus.
      resolve('no bus');
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
/** Kinds of messages. */
const [CALL, RESULT] = [1, 2];
/** Nothing is started for a question. */
const NO_AUTO_START = 2;

/** A call as D-Bus sends it. */
function encoded(serial: number, { path, to, of, member }: Call): Buffer {
  const fields = [
    [PATH, 'o', path],
    [INTERFACE, 's', of],
    [MEMBER, 's', member],
    [DESTINATION, 's', to],
  ] as const;
  const list = Buffer.concat(fields.map(([code, type, text], i) => field(code, type, text, i === fields.length - 1)));
  const head = Buffer.alloc(HEADER_SIZE);
  head.set(['l'.charCodeAt(0), CALL, NO_AUTO_START, 1]);
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
