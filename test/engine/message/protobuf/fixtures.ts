import type { Message } from '../../../../engine/message/types.ts';
import { message, wellFormedText } from '../arbitraries.ts';

export const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replaceAll(/\s/g, ''), 'hex'));
export const wellFormed = message(wellFormedText);

/** Section "worked examples" of the format's description. */
export const example: Message = {
  uuid: hex('000102030405460788090a0b0c0d0e0f'),
  timestamp: 1000000000n,
  type: 'demo',
  severity: 6,
  fields: [
    { name: 'status', valueType: 3, values: [200] },
    { name: 'size', valueType: 2, representation: 'B', values: [5n, 300n] },
    { name: 'host', valueType: 0, values: ['a'] },
    { name: 'ok', valueType: 4, values: [true] },
  ],
};
export const head = '0a10 000102030405460788090a0b0c0d0e0f 10 01';
