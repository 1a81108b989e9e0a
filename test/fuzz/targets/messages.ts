import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import type { MessageBatch } from '../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import { checkBatch } from '../../../engine/message/check.ts';
import { FrameError, findFrame, frame, FrameSplitter } from '../../../engine/message/protobuf/framing.ts';
import { formatBatch, formatMessage } from '../../../engine/message/json/json.ts';
import { MessageFormatError, parseMessage, parseTimer } from '../../../engine/message/json/json-parse.ts';
import { decodeMessage, encodeMessage, MessageDecodeError } from '../../../engine/message/protobuf/protobuf.ts';
import { messagesOf } from '../../../engine/message/batch/row-index.ts';
import { decodeScriptMessage } from '../../../engine/message/protobuf/script-protobuf.ts';
import { authenticate } from '../../../engine/message/protobuf/signing.ts';
import type { Message } from '../../../engine/message/types.ts';
import { decodeBatch, encodeBatch, WireError } from '../../../engine/message/batch/wire.ts';
import { parseJsonLine } from '../../../engine/cli/json-lines.ts';
import { messages, wellFormedText } from '../../engine/message/arbitraries.ts';
import { shapeOf, type Target } from '../campaign.ts';

const samples: Message[] = fc.sample(messages(wellFormedText), { numRuns: 40, seed: 7 }).flat();

function same(a: unknown, b: unknown, what: string): void {
  if (!isDeepStrictEqual(a, b)) throw new Error(what);
}

/** Rough description of a message, by which similar ones are equal. */
function likeness({ fields, ...headers }: Message): string {
  const shapes = fields.map(
    ({ valueType, values, representation }) => `${valueType}${Math.min(values.length, 2)}${representation?.length ? 'r' : ''}`,
  );
  return `${Object.values(headers).filter((value) => value !== undefined).length}:${[...new Set(shapes)].sort().join()}`;
}

/** Texts that are not well formed are changed by UTF-8, and NaNs have many forms, so a message is compared after one way through. */
function checkMessage(message: Message): void {
  const again = decodeMessage(encodeMessage(message));
  same(decodeMessage(encodeMessage(again)), again, 'a message that was encoded and decoded is another one');
  const batch = batchOf([again]);
  checkBatch(batch);
  same(batch.message(0), again, 'a batch holds another message');
  const line = formatMessage(again);
  same([...formatBatch(batch)], [line], 'a batch prints another line');
  same(parseMessage(line), again, 'a message that was printed and parsed is another one');
}

export const protobuf: Target = {
  name: 'protobuf',
  seeds: samples.map((message) => encodeMessage(message)),
  run(bytes) {
    let script = 'script';
    try {
      decodeScriptMessage(bytes);
    } catch (error) {
      if (!(error instanceof MessageDecodeError)) throw error;
      script = shapeOf(error.message);
    }
    try {
      const message = decodeMessage(bytes);
      checkMessage(message);
      return `${script} ${likeness(message)}`;
    } catch (error) {
      if (!(error instanceof MessageDecodeError)) throw error;
      return `${script} ${shapeOf(error.message)}`;
    }
  },
};

const SIGNER = { name: 'ops', version: 1, hash: 'md5', key: 'k' } as const;
const KEYS = new Map([['ops_1', 'k']]);

export const framing: Target = {
  name: 'framing',
  seeds: samples
    .slice(0, 12)
    .map((message, i) => Buffer.concat([frame(encodeMessage(message), i % 2 ? SIGNER : null), frame(Uint8Array.of(i))])),
  words: ['\x1e\x02\x08\x01\x1f.', '\x1e\x00\x1f', '\x08', '\x22\x01a', '\x32\x10'],
  run(bytes) {
    let skipped = 0;
    const split = (size: number): { lengths: number[]; sum: number } => {
      skipped = 0;
      const splitter = new FrameSplitter({ maxMessageSize: 4096, onSkip: (count) => (skipped += count) });
      const lengths: number[] = [];
      let sum = 0;
      const take = (records: ReturnType<FrameSplitter['push']>): void => {
        for (const record of records) {
          sum += record.headerBytes + record.message.length;
          lengths.push(record.message.length);
          if (record.message.length > 4096) throw new Error('a message above the maximum');
          authenticate(record, KEYS);
        }
      };
      for (let at = 0; at < bytes.length; at += size) take(splitter.push(bytes.subarray(at, at + size)));
      take(splitter.end());
      return { lengths, sum };
    };
    const whole = split(Math.max(1, bytes.length));
    if (whole.sum + skipped !== bytes.length) throw new Error(`${whole.sum} bytes of records and ${skipped} others of ${bytes.length}`);
    same(split(7), whole, 'a stream in pieces has other records');
    const first = findFrame(bytes, 0, true, 4096);
    same(first.record?.message.length, whole.lengths[0], 'the first record is another one');
    const signer = first.record === null ? '' : String(authenticate(first.record, KEYS));
    return `${Math.min(whole.lengths.length, 4)} ${skipped > 0} ${signer} ${first.record?.signature?.hash}`;
  },
};

export const frames: Target = {
  name: 'frame',
  seeds: [new Uint8Array(0), Buffer.from('message')],
  run(bytes) {
    const cut = bytes.length >> 1;
    const signer = { ...SIGNER, name: Buffer.from(bytes.subarray(0, cut)).toString('latin1') };
    const message = bytes.subarray(cut);
    try {
      const record = frame(message, signer, { maxMessageSize: 4096 });
      const [found] = new FrameSplitter({ maxMessageSize: 4096 }).push(record);
      same(found?.message, message, 'another message comes out');
      same(authenticate(found as NonNullable<typeof found>, new Map([[`${signer.name}_1`, 'k']])), signer.name, 'another signer');
      return `${signer.name.length >> 4}`;
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      return shapeOf(error.message);
    }
  },
};

export const json: Target = {
  name: 'JSON messages',
  seeds: [
    ...samples.slice(0, 30).map((message) => Buffer.from(formatMessage(message))),
    Buffer.from('{"Timestamp":"2021-03-05T13:07:59Z","Fields":{"a":1,"b":{"value":[true],"representation":"x"},"c":["x"]}}'),
    Buffer.from('{"timer":"1000000000"}'),
  ],
  words: [
    '"Fields":',
    '"value_type":2',
    '"value":[',
    '"name":',
    '12345678901234567890',
    '-1e400',
    '"nan"',
    '\\ud800',
    '"__proto__":',
    'null',
    '[[[[',
    '"Severity":"0x7f"',
  ],
  run(bytes) {
    const line = Buffer.from(bytes).toString();
    const parsed = parseJsonLine(line);
    if (typeof parsed === 'bigint') return 'timer';
    if (typeof parsed === 'string') {
      try {
        if (/^\s*\{\s*"timer"/.test(line)) parseTimer(line);
        else parseMessage(line);
      } catch (error) {
        if (!(error instanceof MessageFormatError)) throw error;
        return shapeOf(error.message);
      }
      throw new Error('a message is refused by one of two');
    }
    checkMessage(parsed);
    return likeness(parsed);
  },
};

const bytesOf = (batch: MessageBatch): Uint8Array => Buffer.concat(encodeBatch(batch));

const batches = fc.sample(messages(), { numRuns: 30, seed: 3 }).map((list) => bytesOf(batchOf(list)));

export const wire: Target = {
  name: 'batches between processes',
  seeds: batches,
  run(bytes) {
    try {
      const batch = decodeBatch(bytes);
      for (const message of messagesOf(batch, null)) void message.fields.length;
      const again = decodeBatch(bytesOf(batch));
      same([...formatBatch(again)], [...formatBatch(batch)], 'a batch that was encoded and decoded is another one');
      return `${Math.min(batch.length, 3)} ${Math.min(batch.fields.length, 5)}`;
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      return shapeOf(error.message);
    }
  },
};
