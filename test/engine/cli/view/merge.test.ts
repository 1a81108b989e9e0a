import { expect, it } from 'vitest';
import { mergedByTime, type FileParts } from '../../../../engine/cli/view/merge.ts';
import type { Part } from '../../../../engine/cli/view/records.ts';
import { PLAIN_PLAN } from '../../../../engine/message/summary/record-summary.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';

const SOURCE = { name: 'a', label: 'a', index: 0, plan: PLAIN_PLAN };

interface Opened {
  count: number;
  now: number;
  most: number;
}

/** A file of parts with records at these times. */
function fileOf(name: string, parts: readonly (readonly number[])[], opened: Opened = { count: 0, now: 0, most: 0 }): FileParts {
  return {
    isOnce: false,
    async *[Symbol.asyncIterator]() {
      opened.count++;
      opened.most = Math.max(opened.most, ++opened.now);
      try {
        for (const times of parts) {
          await Promise.resolve();
          const batch = batchOf(
            times.map((time) => ({ uuid: new Uint8Array(16), timestamp: BigInt(time), payload: `${name}${time}`, fields: [] })),
          );
          const part: Part = { source: SOURCE, batch, rows: Uint32Array.from(times.keys()), hits: null, raw: () => '' };
          yield part;
        }
      } finally {
        opened.now--;
      }
    },
  };
}

async function merged(files: readonly FileParts[], most?: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { part, from, to } of mergedByTime(files, most))
    for (let at = from; at < to; at++) found.push(part.batch.message(part.rows[at] as number).payload ?? '');
  return found;
}

it.each<[what: string, a: number[][], b: number[][], order: string]>([
  ['records by time, those of the first file first', [[1, 3], [5]], [[2, 3, 4], [9]], 'a1 b2 a3 b3 b4 a5 b9'],
  ['a file in its own order', [[5, 1, 6]], [[2, 7]], 'b2 a5 a1 a6 b7'],
  ['files that do not overlap', [[4, 5]], [[1], [2], [3]], 'b1 b2 b3 a4 a5'],
  ['an empty file', [], [[1]], 'b1'],
])('merges %s', async (_, a, b, order) => {
  expect((await merged([fileOf('a', a), fileOf('b', b)])).join(' ')).toBe(order);
});

it('keeps few files open whose time has not come', async () => {
  const opened: Opened = { count: 0, now: 0, most: 0 };
  const files = Array.from({ length: 20 }, (_, at) => fileOf('f', [[100 - at]], opened));
  expect((await merged(files, 3)).join(' ')).toBe(Array.from({ length: 20 }, (_, at) => `f${81 + at}`).join(' '));
  expect(opened.most).toBe(4);
  expect(opened.now).toBe(0);
});
