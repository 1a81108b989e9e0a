/** Writes ranges of messages into a lake, and tells of each that it begins and that it is acknowledged. Killed by the soak. Arguments: folder, name, first range. */
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Field, Message } from '../../../engine/message/types.ts';
import { ParquetWriter } from '../../../engine/outputs/parquet-output.ts';
import { OLD_MS } from './roles.ts';

const [folder = '', name = '', first = '0'] = process.argv.slice(2);
const output = new ParquetWriter({
  place: { path: folder },
  upkeep: null,
  flushInterval: 0,
  flushCount: 1,
  uuids: true,
  quietMs: null,
  retries: { delay: 1, max_delay: 50, max_jitter: 0, max_retries: -1 },
  onProblem: (text) => process.stderr.write(`${text}\n`),
});

const integer = (of: string, value: number): Field => ({ name: of, valueType: 2, values: [BigInt(value)] });

/** A field whose type depends on the range, and one that only some ranges have. */
function changing(range: number, n: number): Field[] {
  const v: Field[] = [integer('v', n), { name: 'v', valueType: 0, values: [`text ${n}`] }, { name: 'v', valueType: 3, values: [n + 0.5] }];
  return [v[range % 3] as Field, integer(`only_${range % 7}`, n)];
}

/** Each range is in four folders: two types that stay, in two hours, and one that is too old at once. */
function messagesOf(range: number, size: number): Message[] {
  const now = BigInt(Date.now());
  return Array.from({ length: size }, (_, n): Message => {
    const type = ['keep.a', 'keep.b', 'old'][n % 3] as string;
    const ms = type === 'old' ? now - BigInt(2 * OLD_MS) : now + BigInt((n % 2) * 3_600_000);
    const fields = [{ name: 'w', valueType: 0, values: [name] } as Field, integer('r', range), integer('n', n), integer('size', size)];
    return {
      uuid: crypto.getRandomValues(new Uint8Array(16)),
      type,
      timestamp: ms * 1_000_000n,
      fields: [...fields, ...changing(range, n)],
    };
  });
}

for (let range = Number(first); ; range++) {
  const size = 30 + ((range * 7919) % 300);
  writeSync(1, `${JSON.stringify({ begun: range })}\n`);
  await output.writeBatch(batchOf(messagesOf(range, size)), null);
  writeSync(1, `${JSON.stringify({ acknowledged: range })}\n`);
  await delay(20 + ((range * 31) % 100));
}
