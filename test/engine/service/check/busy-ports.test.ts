import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { busyPorts } from '../../../../engine/service/check/busy-ports.ts';

const listener = (address: string, type = 'TcpInput') =>
  ({ name: 'in', type, kind: 'input', table: { address }, wrong: [], origin: { file: 'f', line: 1 } }) as never;

it.each([
  ['127.0.0.1:514', { protocol: 'TCP', host: '0.0.0.0', port: 514 }, true],
  [':514', { protocol: 'TCP', host: '127.0.0.1', port: 514 }, true],
  ['127.0.0.1:514', { protocol: 'UDP', host: '127.0.0.1', port: 514 }, false],
  ['127.0.0.1:514', { protocol: 'TCP', host: '127.0.0.1', port: 515 }, false],
  ['127.0.0.1:0', { protocol: 'TCP', host: '127.0.0.1', port: 0 }, false],
] as const)('%s beside %j', (address, open, isBusy) => {
  const text = 'TCP port 514 is in use now, perhaps by this service itself';
  expect(busyPorts([listener(address)], [open]).map((finding) => finding.text)).toEqual(isBusy ? [text] : []);
});

it.skipIf(process.platform !== 'linux')('finds a port of this machine', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(busyPorts([listener(`127.0.0.1:${port}`)])).toHaveLength(1);
  server.close();
});
