import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { formatMessage } from '../engine/message/json/json-format.ts';
import { parseMessage } from '../engine/message/json/json-parse.ts';
import { decodeMessage, encodeMessage } from '../engine/message/protobuf/protobuf.ts';
import type { Message } from '../engine/message/types.ts';
import { accessMessage, rate } from './core-messages.ts';
import type { Benchmark, Figure } from './report.ts';

const COUNT = 256;

/** The codec alone, on a message with ten fields, and protobufjs by reflection on the same bytes. */
export const messagesBenchmark: Benchmark = {
  name: 'messages',
  title: 'Encode and decode a message with ten fields, one after the other',
  async run() {
    const messages = Array.from({ length: COUNT }, (_, i) => accessMessage(i));
    const encoded = messages.map((message) => encodeMessage(message));
    const lines = messages.map((message) => formatMessage(message));
    const type = reflected();
    const theirs = encoded.map((bytes) => type.decode(bytes));
    const over = async <T>(list: readonly T[], work: (one: T) => unknown): Promise<number> =>
      rate(() => {
        for (const one of list) work(one);
      }, COUNT);
    const encode = await over(messages, encodeMessage);
    const decode = await over<Uint8Array>(encoded, decodeMessage);
    const theirEncode = await over(theirs, (message) => type.encode(message).finish());
    const theirDecode = await over(encoded, (bytes) => type.decode(bytes));
    const times = (factor: number): string => `${factor.toFixed(1)} times that of protobufjs by reflection`;
    const size = Math.round(encoded.reduce((sum, { length }) => sum + length, 0) / COUNT);
    const figures: Figure[] = [
      { what: 'encode', value: encode, unit: 'messages/s', note: `${times(encode / theirEncode)}, ${size} bytes` },
      { what: 'decode', value: decode, unit: 'messages/s', note: times(decode / theirDecode) },
      { what: 'encode, protobufjs by reflection', value: theirEncode, unit: 'messages/s' },
      { what: 'decode, protobufjs by reflection', value: theirDecode, unit: 'messages/s' },
      { what: 'print as JSON', value: await over<Message>(messages, formatMessage), unit: 'messages/s' },
      { what: 'parse JSON', value: await over<string>(lines, parseMessage), unit: 'messages/s' },
    ];
    return figures;
  },
};

function reflected(): protobuf.Type {
  const schema = readFileSync(new URL('../engine/message/schema/message.proto', import.meta.url), 'utf8');
  return protobuf.parse(schema, { keepCase: true }).root.lookupType('message.Message');
}
