import fc from 'fast-check';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { checkBatch } from '../../../../engine/message/check.ts';

export const listOf = (batch: MessageBatch): Message[] => {
  checkBatch(batch);
  return [...messagesOf(batch)];
};
export const picks = fc.array(fc.nat(), { maxLength: 20 });

export function plain(over: Partial<Message>): Message {
  return { uuid: new Uint8Array(16), timestamp: 0n, fields: [], ...over };
}

export function payloads(...texts: string[]): MessageBatch {
  return batchOf(texts.map((payload) => plain({ payload })));
}
