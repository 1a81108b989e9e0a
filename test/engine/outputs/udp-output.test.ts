import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { UdpWriter } from '../../../engine/outputs/udp-output.ts';
import { cleanups, cleanUp } from './network-fixtures.ts';

afterEach(cleanUp);

describe('UdpWriter', () => {
  it('sends a datagram for each message, and drops those that are too large', async () => {
    const socket = createSocket('udp4');
    const got: string[] = [];
    socket.on('message', (message, { address }) => got.push(`${address} ${message.toString()}`));
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    cleanups.push(() => void socket.close());
    const dropped: string[] = [];
    const target = { host: '127.0.0.1', port: socket.address().port, local: { host: '127.0.0.2', port: 0 } };
    const writer = await UdpWriter.open({ ...target, net: 'udp', maxMessageSize: 512, onDropped: (text) => dropped.push(text) });
    await writer.write(['one', Buffer.from('two'), 'x'.repeat(513), 'ö'.repeat(256)]);
    await expect.poll(() => got.length).toBe(3);
    expect(got).toEqual(['127.0.0.2 one', '127.0.0.2 two', `127.0.0.2 ${'ö'.repeat(256)}`]);
    expect(dropped).toEqual(['1 messages are larger than max_message_size of 512 bytes and are lost']);
    await writer.close();
  });

  it.each([
    ['the system does not send', '255.255.255.255', /EACCES|ENETUNREACH/],
    ['goes to nobody', 'no-such-host.invalid', /ENOTFOUND|EAI_AGAIN/],
  ])('counts what %s', async (_what, host, why) => {
    const dropped: string[] = [];
    const writer = await UdpWriter.open({ host, port: 9, net: 'udp4', maxMessageSize: 512, onDropped: (text) => dropped.push(text) });
    await writer.write(['one', 'two', 'x'.repeat(513)]);
    expect(dropped).toEqual([
      '1 messages are larger than max_message_size of 512 bytes and are lost',
      expect.stringMatching(new RegExp(`^2 messages could not be sent and are lost: .*(${why.source})`)),
    ]);
    await writer.close();
  });

  it('does not mind that nobody listens', async () => {
    const writer = await UdpWriter.open({ host: '127.0.0.1', port: 9, net: 'udp4', maxMessageSize: 512, onDropped: () => undefined });
    for (let i = 0; i < 5; i++) await writer.write(['x']);
    await writer.close();
  });
});
