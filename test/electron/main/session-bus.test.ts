import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasNotificationArea, notificationsAnswer } from '../../../electron/main/session-bus.ts';

/** Answers without a body: of a return (2) or an error (3), whose name is longer than its field is aligned. */
function answer(kind: 2 | 3, serial: number): Buffer {
  const name = kind === 3 ? 'org.freedesktop.DBus.Error.ServiceUnknown' : ':1.7';
  const text = Buffer.alloc(Math.ceil((8 + name.length + 1) / 8) * 8);
  text.set([kind === 3 ? 4 : 6, 1, 0x73, 0]);
  text.writeUInt32LE(name.length, 4);
  text.write(name, 8);
  const reply = Buffer.from([5, 1, 0x75, 0, serial, 0, 0, 0]);
  const head = Buffer.alloc(16);
  head.set([0x6c, kind, 1, 1]);
  head.writeUInt32LE(9, 8);
  head.writeUInt32LE(text.length + reply.length, 12);
  return Buffer.concat([head, text, reply]);
}

describe.skipIf(process.platform === 'win32')('the bus of the session', () => {
  let folder: string;
  let server: Server | undefined;
  let asked: string;

  /** Stand-in for a bus, which answers the question after its hello with this. */
  async function bus(answers: readonly Buffer[], login = 'OK 1234deadbeef\r\n'): Promise<string> {
    asked = '';
    server = createServer((socket) =>
      socket.on('data', (bytes) => {
        const before = asked.includes('BEGIN');
        asked += bytes.toString('latin1');
        if (bytes.includes('AUTH EXTERNAL')) socket.write(login);
        // In pieces, as a stream may bring them.
        if (!before && asked.includes('BEGIN'))
          for (const [i, piece] of answers.flatMap((whole) => [whole.subarray(0, 21), whole.subarray(21)]).entries())
            setTimeout(() => socket.write(piece), i * 5);
      }),
    );
    const path = join(folder, 'bus');
    await once(server.listen(path), 'listening');
    return `unix:path=${path},guid=1234`;
  }

  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'sluicebox-bus-'))));
  afterEach(() => {
    server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each<[string, readonly Buffer[], boolean, boolean]>([
    ['that answer', [answer(2, 1), answer(2, 2)], true, true],
    ['that are not there', [answer(2, 1), answer(3, 2)], true, false],
    ['that hang', [answer(2, 1)], false, false],
    ['on a bus that hangs', [], false, false],
  ])('services %s', async (_name, answers, notifies, shows) => {
    const address = await bus(answers);
    expect(await notificationsAnswer(address, 200)).toBe(notifies);
    expect(asked).toContain('BEGIN\r\nl\u0001');
    expect(asked).toContain('GetServerInformation');
    asked = '';
    expect(await hasNotificationArea(address, 200)).toBe(shows);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ['a bus that lets nobody in', () => bus([], 'REJECTED EXTERNAL\r\n')],
    ...[undefined, '', 'tcp:host=127.0.0.1', 'unix:path=/nowhere/bus', 'unix:abstract=/nowhere'].map(
      (address) => [`no bus: ${address}`, () => Promise.resolve(address)] as [string, () => Promise<string | undefined>],
    ),
  ])('%s has no icons, and Electron finds out about notifications', async (_name, addressOf) => {
    const address = await addressOf();
    expect(await hasNotificationArea(address, 200)).toBe(false);
    asked = '';
    expect(await notificationsAnswer(address, 200)).toBe(true);
  });
});
