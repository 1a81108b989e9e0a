import { createSocket, type Socket } from 'node:dgram';
import { messageOf } from '../base/errors.ts';
import { joined, type Pieces, type Writer } from './writers.ts';
import { z } from 'zod';
import { parseAddress } from '../inputs/net/address.ts';
import { matching, receiver } from '../section/receiver.ts';
import { restart } from '../section/restart.ts';
import { address } from '../section/values.ts';
import { outputType } from './output-type.ts';
import { exit, framing, localAddress, neededEncoder } from './parameters.ts';

/** The most bytes that a datagram can hold. */
export const MAX_DATAGRAM = 65_507;

/** The type `UdpOutput` of sections. */
export const udpOutput = outputType({
  type: 'UdpOutput',
  summary: 'Sends each message as a datagram. It is unknown whether a datagram arrives.',
  example: '[statsd]\ntype = "UdpOutput"\naddress = "127.0.0.1:8125"\nencoder = "plain_text"\nmessage_matcher = "Type == \'stat\'"',
  parameters: () => ({
    ...matching,
    net: z.enum(['udp', 'udp4', 'udp6']).default('udp').describe('`udp6` sends by IPv6. `udp` does so when the address is one of IPv6.'),
    address: address.describe('Where to send datagrams to. Each message is a datagram.'),
    local_address: localAddress,
    encoder: neededEncoder,
    ...framing,
    max_message_size: z
      .int()
      .min(512)
      .default(MAX_DATAGRAM)
      .meta({ shown: 'bytes' })
      .describe('Larger messages are dropped, with a line in the log.'),
    ...receiver,
    ...restart,
    ...exit,
  }),
  make: ({ address: to, local_address: local, net, max_message_size: maxMessageSize }, { onProblem }) =>
    UdpWriter.open({
      ...parseAddress(to),
      local: local === undefined ? undefined : parseAddress(local),
      net,
      maxMessageSize,
      onDropped: onProblem,
    }),
});

export interface UdpWriterOptions {
  readonly host: string;
  readonly port: number;
  /** `udp`: IPv6 when the host is an IPv6 address, else IPv4. */
  readonly net: 'udp' | 'udp4' | 'udp6';
  /** Address to send from. */
  readonly local?: { readonly host: string; readonly port: number } | undefined;
  /** Bytes; larger messages are dropped. */
  readonly maxMessageSize: number;
  readonly onDropped: (text: string) => void;
}

/** Sends each message as a datagram. Whether it arrives is not known. A message that cannot be sent is lost, and counted. */
export class UdpWriter implements Writer {
  readonly #options: UdpWriterOptions;
  readonly #socket: Socket;

  private constructor(options: UdpWriterOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    // For example nobody listens on the port: that does not concern the sender of datagrams.
    socket.on('error', () => undefined);
  }

  /** Throws when it cannot send from its local address. */
  static async open(options: UdpWriterOptions): Promise<UdpWriter> {
    const { host, net, local } = options;
    const family = net === 'udp6' || (net === 'udp' && host.includes(':')) ? 'udp6' : 'udp4';
    const socket = createSocket(family);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ port: local?.port ?? 0, address: local?.host }, resolve);
    });
    return new UdpWriter(options, socket);
  }

  async write(pieces: Pieces): Promise<void> {
    const { host, port, maxMessageSize, onDropped } = this.#options;
    let dropped = 0;
    let unsent = 0;
    let why = '';
    for (const piece of pieces) {
      const bytes = joined([piece]);
      if (bytes.length > maxMessageSize) dropped++;
      else {
        const error = await new Promise<Error | null>((resolve) => this.#socket.send(bytes, port, host || 'localhost', resolve));
        if (error === null) continue;
        unsent++;
        why = messageOf(error);
      }
    }
    if (dropped > 0) onDropped(`${dropped} messages are larger than max_message_size of ${maxMessageSize} bytes and are lost`);
    if (unsent > 0) onDropped(`${unsent} messages could not be sent and are lost: ${why}`);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
