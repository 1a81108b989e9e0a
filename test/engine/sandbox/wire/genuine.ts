import type { Frame } from '../../../../engine/sandbox/wire/frames.ts';
import { readResult } from '../../../../engine/sandbox/wire/inbound.ts';
import { ARENA, type OutField, type ResultHead } from '../../../../engine/sandbox/contract/protocol.ts';

/** A result of two messages from rows 0 and 2, with a value of every kind. */
export function genuine(): { head: ResultHead; block: ArrayBuffer; arena: string } {
  const block = new ArrayBuffer(256);
  const words = new Uint32Array(block);
  words.set([0, 2], 0);
  words.set([0, 3], 2);
  words.set([3, 5], 4);
  words.set([0, 1, 3], 6);
  words.set([1], 10);
  new BigInt64Array(block, 64, 2).set([5n, -1n]);
  new Float64Array(block, 96, 3).set([1.5, NaN, 2]);
  new Uint8Array(block, 128, 32).fill(7);
  new Uint8Array(block, 160, 2).set([1, 0]);
  const column = { entries: 2, values: -1, rows: -1, offsets: -1, ends: -1, count: 2, text: ARENA, bytes: -1, bytesLength: 0 };
  const field = (name: string, type: number, more: Partial<OutField>): OutField => ({
    ...column,
    name,
    representation: 'B',
    type,
    ...more,
  });
  const head: ResultHead = {
    ...{ globals: 1, used: ['Payload'], injected: 2, passed: 0, origins: 0, kinds: -1, origin: 1, timestamps: 64 },
    uuids: { count: 1, rows: 40, bytes: 128 },
    headers: [
      { constant: 't' },
      { ...column, values: 8, ends: 16 },
      { ...column, values: 8, ends: 16, text: 0 },
      null,
      null,
      { ...column, values: 0 },
      null,
    ],
    fields: [
      field('s', 0, { values: 8, ends: 16 }),
      field('y', 1, { values: 8, ends: 16, bytes: 128, bytesLength: 32 }),
      field('i', 2, { values: 64 }),
      field('d', 3, { values: 96, offsets: 24, count: 3 }),
      field('o', 4, { values: 160 }),
      field('one', 3, { entries: 1, count: 1, rows: 40, values: 96 }),
    ],
    failures: [[1, 'bad']],
    encoded: null,
    ended: null,
    status: null,
  };
  return { head, block, arena: 'abcde' };
}

export const frameOf = (head: unknown, block: ArrayBuffer, arena: string): Frame => ({
  ...{ kind: 4, box: 1, call: 1, head: JSON.stringify(head), block, texts: Buffer.from(arena) },
});

export const read = (head: unknown, block: ArrayBuffer, arena: string) => readResult(frameOf(head, block, arena), 3, ['the text']);
