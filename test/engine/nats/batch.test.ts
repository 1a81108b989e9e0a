import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { BatchError, BatchReader, encodeBatch, messagesOfBatch } from '../../../engine/nats/batch.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../engine/message/types.ts';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { frame } from '../../../engine/message/protobuf/framing.ts';
import { messages, wellFormedText } from '../message/arbitraries.ts';

const ALL = 1e6;
const MESSAGE: Message = { uuid: new Uint8Array(16).fill(7), timestamp: 5n, type: 'nginx.access', payload: 'GET /', fields: [] };
const encodedIn = (batch: MessageBatch): Uint8Array[] => Array.from(messagesOf(batch, null), (message) => encodeMessage(message));

/** As earlier programs wrote them. */
const framedBatch = (bytes: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from('SLB\x01'), zstdCompressSync(Buffer.concat(bytes.map((each) => frame(each))))]);

describe('batches on NATS', () => {
  it.each([
    ['of this version', encodeBatch],
    ['of version 1', (bytes: readonly Uint8Array[]) => Promise.resolve(framedBatch(bytes))],
  ])('come out as they went in, those %s', async (_, encode) => {
    const reader = new BatchReader();
    await fc.assert(
      fc.asyncProperty(fc.array(messages(wellFormedText), { maxLength: 3 }), async (sent) => {
        const batches = sent.map((some) => some.map((message) => encodeMessage(message)));
        const bodies = await Promise.all(batches.map(encode));
        const { batch, refused } = await reader.read(bodies, ALL);
        expect(encodedIn(batch)).toEqual(batches.flat());
        expect(refused).toEqual(bodies.map(() => null));
        for (const [i, body] of bodies.entries())
          expect((await messagesOfBatch(body)).map((bytes) => new Uint8Array(bytes))).toEqual(batches[i]);
      }),
    );
  });

  it('keep a message that has no Uuid at its beginning', async () => {
    const bytes = [new Uint8Array([1, 2, 3]), encodeMessage(MESSAGE), new Uint8Array(0)];
    expect((await messagesOfBatch(await encodeBatch(bytes))).map((each) => [...each])).toEqual(bytes.map((each) => [...each]));
  });

  it('are smaller with their Uuids apart', async () => {
    const bytes = Array.from({ length: 500 }, (_, i) => encodeMessage({ ...MESSAGE, uuid: randomBytes(16), payload: `GET /items/${i}` }));
    expect((await encodeBatch(bytes)).length).toBeLessThan(framedBatch(bytes).length * 0.95);
  });

  it('are read together up to so many messages', async () => {
    const bodies = await Promise.all([3, 3, 3].map((count) => encodeBatch(Array.from({ length: count }, () => encodeMessage(MESSAGE)))));
    const { batch, refused } = await new BatchReader().read(bodies, 4);
    expect([batch.length, refused]).toEqual([6, [null, null]]);
  });

  it('that cannot be read are refused alone', async () => {
    const reader = new BatchReader();
    const fine = await encodeBatch([encodeMessage(MESSAGE)]);
    const noMessages = await encodeBatch([encodeMessage(MESSAGE), new Uint8Array([255, 255])]);
    const newer = Buffer.from(fine);
    newer[3] = 9;
    const bomb = Buffer.concat([Buffer.from('SLB\x01'), zstdCompressSync(Buffer.alloc((64 << 20) + 1))]);
    const { batch, refused } = await reader.read([fine, noMessages, Buffer.from('no batch'), newer, fine.subarray(0, 30), bomb, fine], ALL);
    expect(encodedIn(batch)).toEqual([encodeMessage(MESSAGE), encodeMessage(MESSAGE)]);
    const damaged = { isNewer: false, message: 'it is damaged' };
    const expected = [
      null,
      damaged,
      { isNewer: false, message: 'it is not a batch of messages' },
      { isNewer: true, message: 'its format is of version 9, and this program knows 2' },
      damaged,
      damaged,
      null,
    ];
    expect(refused.map((error) => error && { isNewer: error.isNewer, message: error.message })).toEqual(expected);
  });

  it('are a BatchError when they are none', async () => {
    const reader = new BatchReader();
    const whole = await encodeBatch([encodeMessage(MESSAGE), new Uint8Array([1, 2, 3])]);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: whole.length }), fc.boolean(), async (noise, cut, isChanged) => {
        const changed = Buffer.from(whole);
        if (isChanged) changed.set(noise.subarray(0, whole.length - cut), cut);
        for (const bytes of [noise, Buffer.concat([whole.subarray(0, cut), noise]), changed]) {
          const [error] = (await reader.read([bytes], ALL)).refused;
          if (error !== null) expect(error).toBeInstanceOf(BatchError);
          await messagesOfBatch(bytes).catch((thrown: unknown) => expect(thrown).toBeInstanceOf(BatchError));
        }
      }),
    );
  });
});
