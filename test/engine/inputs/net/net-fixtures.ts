import { deflateSync } from 'node:zlib';
import { UdpInput } from '../../../../engine/inputs/net/udp-input.ts';
import { TestSink } from '../harness.ts';

export const counted = (text: string): string => `${Buffer.byteLength(text)} ${text}`;

/** A message as rsyslog packs it by itself. */
export const single = (text: string | Uint8Array): Buffer => Buffer.concat([Buffer.from('z'), deflateSync(text, { level: 9 })]);

/** Such a message as it comes over a connection: always with its octets counted. */
export const countedSingle = (text: string): Buffer => {
  const message = single(text);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
};

export async function udp(
  address = '127.0.0.1:0',
  sink = new TestSink(),
): Promise<{ input: UdpInput; sink: TestSink; port: number; [Symbol.asyncDispose](): Promise<void> }> {
  const input = new UdpInput({ name: 'logs', address });
  await input.start(sink);
  return { input, sink, port: input.address()?.port ?? 0, [Symbol.asyncDispose]: () => input.stop() };
}

/** A message of GELF in chunks of so many bytes. */
export function chunksOf(message: Buffer, size: number, id = 1): Buffer[] {
  const count = Math.ceil(message.length / size);
  return Array.from({ length: count }, (_, i) => {
    const head = Buffer.from([0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, 0, i, count]);
    head.writeUInt32LE(id, 2);
    return Buffer.concat([head, message.subarray(i * size, (i + 1) * size)]);
  });
}
