import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BLOCK_SIZE, eachRun, type SentBlock } from '../../../../engine/inputs/net/datagram-block.ts';
import { DatagramQueue } from '../../../../engine/inputs/net/datagram-queue.ts';

interface Taken {
  readonly text: string;
  readonly host: string;
}

function run(bytes: number): { readonly queue: DatagramQueue; readonly sent: SentBlock[]; readonly taken: Taken[]; work(): void } {
  const sent: SentBlock[] = [];
  const taken: Taken[] = [];
  const queue = new DatagramQueue(bytes, (block) => sent.push(block));
  const work = (): void => {
    const block = sent.shift();
    if (block === undefined) return;
    eachRun(block, (bytes, { starts, ends, count }, host) => {
      for (let i = 0; i < count; i++) taken.push({ text: bytes.toString('latin1', starts[i], ends[i]), host });
    });
    queue.done(block.memory);
  };
  return { queue, sent, taken, work };
}

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('add' as const), size: fc.oneof(fc.nat(200), fc.nat(65_507)), host: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('work' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('flush' as const) }) },
);

it('gives every datagram with its sender, in order, once; or counts it as dropped', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.nat(3), (steps, blocks) => {
      const { queue, sent, taken, work } = run(blocks * BLOCK_SIZE);
      const expected: Taken[] = [];
      let added = 0;
      for (const [i, one] of steps.entries()) {
        if (one.kind === 'work') work();
        else if (one.kind === 'flush') queue.flush();
        else {
          const text = `${i} `.padEnd(one.size, 'x');
          const before = queue.dropped;
          queue.add(Buffer.from(text, 'latin1'), `::ffff:10.0.0.${one.host}`);
          added++;
          if (queue.dropped === before) expected.push({ text, host: `10.0.0.${one.host}` });
        }
        expect(taken.length + queue.waiting + sent.reduce((sum, { count }) => sum + count, 0) + queue.dropped).toBe(added);
      }
      for (queue.flush(); sent.length > 0; queue.flush()) work();
      expect(queue.isEmpty).toBe(true);
      expect(taken).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

it('has four blocks under way and the others within its bounds', () => {
  const { queue, sent, work } = run(3 * BLOCK_SIZE);
  const datagram = Buffer.alloc(60_000);
  // A block takes four.
  for (let i = 0; i < 100; i++) queue.add(datagram, '127.0.0.1');
  expect(sent.length).toBe(4);
  expect([queue.waiting, queue.dropped]).toEqual([12, 100 - 28]);
  work();
  expect([sent.length, queue.waiting]).toEqual([4, 8]);
  queue.discard();
  expect([queue.waiting, queue.dropped]).toEqual([0, 100 - 20]);
});

it('takes empty datagrams and the largest', () => {
  const { queue, taken, work } = run(0);
  for (const size of [0, 65_507, 0]) queue.add(Buffer.alloc(size, 'a'), '127.0.0.1');
  queue.flush();
  work();
  expect(taken.map(({ text }) => text.length)).toEqual([0, 65_507, 0]);
});
