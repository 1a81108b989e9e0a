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
