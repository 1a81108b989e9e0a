import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Tail } from '../../../../engine/inputs/file/tail.ts';
import { TailQueue } from '../../../../engine/inputs/file/tail-queue.ts';

const stat = statSync(import.meta.filename, { bigint: true });
const COUNT = 6;
const tails = (): Tail[] => Array.from({ length: COUNT }, (_, i) => new Tail(`log.${i}`, `log.${i}`, stat));

/** Reads all that may be read, one after the other; returns what was read. */
function readAll(queue: TailQueue): Tail[] {
  const read: Tail[] = [];
  for (let tail = queue.take(0); tail !== null; tail = queue.take(0)) {
    tail.atEnd = true;
    read.push(tail);
  }
  return read;
}

describe('files that wait for each other', () => {
  it('are read in the order in which they wait', () => {
    const [a, b, c] = tails() as [Tail, Tail, Tail];
    const queue = new TailQueue();
    for (const tail of [a, b, c]) queue.add(tail);
    a.waitFor(b);
    b.waitFor(c);
    expect(readAll(queue)).toEqual([c, b, a]);
  });

  it('are all read, whoever is told to wait for whom', () => {
    const index = fc.nat({ max: COUNT - 1 });
    const waits = fc.array(fc.tuple(index, index), { maxLength: 20 });
    fc.assert(
      fc.property(waits, (pairs) => {
        const all = tails();
        const queue = new TailQueue();
        for (const tail of all) queue.add(tail);
        for (const [later, earlier] of pairs) (all[later] as Tail).waitFor(all[earlier] as Tail);
        expect(new Set(readAll(queue))).toEqual(new Set(all));
      }),
    );
  });
});
