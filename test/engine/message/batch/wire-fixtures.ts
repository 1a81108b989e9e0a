import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import type { Message } from '../../../../engine/message/types.ts';
import { encodeBatch } from '../../../../engine/message/batch/wire.ts';

export const encode = (batch: MessageBatch): Uint8Array => new Uint8Array(Buffer.concat(encodeBatch(batch)));
export const plain = (over: Partial<Message> = {}): Message => ({ uuid: new Uint8Array(16), timestamp: 0n, fields: [], ...over });
