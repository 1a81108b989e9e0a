import { UdpInput } from '../../../../engine/inputs/net/udp-input.ts';
import { TestSink } from '../harness.ts';

export const counted = (text: string): string => `${Buffer.byteLength(text)} ${text}`;

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
