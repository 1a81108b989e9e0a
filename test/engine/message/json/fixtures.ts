import type { Message } from '../../../../engine/message/types.ts';

export const uuid = Uint8Array.from(Buffer.from('000102030405460788090a0b0c0d0e0f', 'hex'));
export const plain: Message = { uuid, timestamp: 1n, fields: [] };
