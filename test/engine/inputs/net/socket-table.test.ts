import { createSocket, type Socket } from 'node:dgram';
import { fstatSync } from 'node:fs';
import { expect, it } from 'vitest';
import { descriptorOf } from '../../../../engine/inputs/net/socket-table.ts';
import { until } from '../../../until.ts';

interface Bound {
  readonly socket: Socket;
  readonly host: string;
  readonly port: number;
}

async function bound(host: string): Promise<Bound> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  await new Promise<void>((resolve) => socket.bind({ port: 0, address: host, exclusive: true }, resolve));
  const { address, port } = socket.address();
  return { socket, host: address, port };
}

it.runIf(process.platform === 'linux').each(['127.0.0.1', '0.0.0.0', '::1', '::'])(
  'finds the descriptor of a socket on %s',
  async (host) => {
    const [one, other] = [await bound(host), await bound(host)];
    const descriptors = [one, other].map((address) => descriptorOf(address) ?? -1);
    expect(new Set(descriptors).size).toBe(2);
    for (const descriptor of descriptors) expect(fstatSync(descriptor).isSocket()).toBe(true);
    one.socket.close();
    other.socket.close();
    await until(() => descriptorOf(other) === null, 'the end of the socket');
  },
);

it('finds none of a socket that is not there', () => {
  expect(descriptorOf({ host: '192.0.2.1', port: 9 })).toBeNull();
});
