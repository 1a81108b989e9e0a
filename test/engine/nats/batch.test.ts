import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { zstdCompressSync } from 'node:zlib';
import { BatchError, decodeBatch, encodeBatch } from '../../../engine/nats/batch.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import { messages, wellFormedText } from '../message/arbitraries.ts';

describe('batches on NATS', () => {
  it('come out as they went in', async () => {
    await fc.assert(
      fc.asyncProperty(messages(wellFormedText), async (sent) => {
        const bytes = sent.map((message) => encodeMessage(message));
        const batch = await decodeBatch(await encodeBatch(bytes));
        expect([...messagesOf(batch, null)].map((message) => encodeMessage(message))).toEqual(bytes);
      }),
    );
  });

  it('are a BatchError when they are none', async () => {
    const whole = await encodeBatch([new Uint8Array([1, 2, 3])]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: whole.length }), async (noise, cut) => {
        for (const bytes of [noise, Buffer.concat([whole.subarray(0, cut), noise])]) {
          await decodeBatch(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(BatchError));
        }
      }),
    );
  });

  it('of a newer version are told apart', async () => {
    const bytes = await encodeBatch([]);
    bytes[3] = 9;
    await expect(decodeBatch(bytes)).rejects.toMatchObject({
      isNewer: true,
      message: 'its format is of version 9, and this program knows 1',
    });
  });

  it('that would unpack to too much are refused', async () => {
    const bomb = Buffer.concat([Buffer.from('SLB\x01'), zstdCompressSync(Buffer.alloc((64 << 20) + 1))]);
    expect(bomb.length).toBeLessThan(100_000);
    await expect(decodeBatch(bomb)).rejects.toMatchObject({ isNewer: false, message: 'it is damaged' });
  });
});
