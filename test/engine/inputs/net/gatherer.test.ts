import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextPool } from '../../../../engine/message/text-pool.ts';
import { Gatherer } from '../../../../engine/inputs/net/gatherer.ts';
import { Records } from '../../../../engine/inputs/net/records.ts';
import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from '../../../../engine/inputs/splitter.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import { textAt, type MessageBatch } from '../../../../engine/message/batch/batch.ts';

interface Got {
  readonly payload: string | undefined;
  readonly host: string | undefined;
}
const rowsOf = (batch: MessageBatch): Got[] =>
  Array.from({ length: batch.length }, (_, row) => ({ payload: textAt(batch.payload, row), host: textAt(batch.hostname, row) }));

/** Adds records, and takes a batch whenever it is full, as a sender does. */
function addAll(gatherer: Gatherer, bytes: Buffer, records: Records, host: string, taken: MessageBatch[]): void {
  for (let from = 0; from < records.count;) {
    from = gatherer.add(bytes, records, from, host);
    if (gatherer.isFull) taken.push(gatherer.take().batch);
  }
}

const text = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('é', '\u{1f600}', '\n', ''));

it('has the records of all bytes with their hosts, whatever lies between them', () => {
  const chunk = fc.record({ host: fc.constantFrom('a', 'b', 'c'), parts: fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }) });
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 8 }), (chunks) => {
      const gatherer = new Gatherer('type', 'logger', { withHosts: true });
      const expected: Got[] = [];
      const taken: MessageBatch[] = [];
      for (const { host, parts } of chunks) {
        const records = new Records();
        let at = 0;
        for (const [between, payload] of parts) {
          const start = at + Buffer.byteLength(between);
          at = start + Buffer.byteLength(payload);
          records.add(start, at);
          expected.push({ payload: payload.toWellFormed(), host });
        }
        const bytes = Buffer.from(parts.map(([between, payload]) => between + payload).join('') + '\n');
        // Lone halves that meet would be a pair.
        fc.pre(bytes.length === at + 1);
        addAll(gatherer, bytes, records, host, taken);
        bytes.fill(0);
      }
      if (gatherer.count > 0) taken.push(gatherer.take().batch);
      expect(taken.flatMap(rowsOf)).toEqual(expected);
    }),
  );
});

it('has the ports of the connections of its hosts', () => {
  const gatherer = new Gatherer('type', 'logger', { withHosts: true });
  const records = new Records();
  records.add(0, 1);
  for (const [host, port] of [
    ['a', 1],
    ['a', 2],
    ['b', 1],
    ['a', 1],
    ['c', 0],
  ] as const)
    gatherer.add(Buffer.from('x'), records, 0, host, port);
  const { batch } = gatherer.take();
  const got = [...messagesOf(batch, null)].map(({ hostname, fields }) => [hostname, fields[0]?.values[0]]);
  expect(got).toEqual([
    ['a', 1n],
    ['a', 2n],
    ['b', 1n],
    ['a', 1n],
    ['c', 0n],
  ]);
  gatherer.add(Buffer.from('x'), records, 0, 'd');
  expect([...messagesOf(gatherer.take().batch, null)]).toMatchObject([{ hostname: 'd', fields: [] }]);
});

it('takes no more than a batch has', () => {
  const gatherer = new Gatherer('type', 'logger', { withHosts: false });
  const records = new Records();
  const lines = MAX_BATCH_RECORDS + 10;
  for (let i = 0; i < lines; i++) records.add(2 * i, 2 * i + 1);
  expect(gatherer.add(Buffer.from('x\n'.repeat(lines)), records, 0, 'a')).toBe(MAX_BATCH_RECORDS);
  expect([gatherer.isFull, gatherer.take().batch.length, gatherer.count]).toEqual([true, MAX_BATCH_RECORDS, 0]);

  records.clear();
  const half = MAX_BATCH_BYTES / 2;
  for (let i = 0; i < 3; i++) records.add(i * half, (i + 1) * half);
  expect(gatherer.add(Buffer.alloc(3 * half, 'x'), records, 0, 'a')).toBe(2);
});

it('has its texts in memory that is used again when they are released', () => {
  const gatherer = new Gatherer('type', 'logger', { withHosts: false, form: new TextPool() });
  const take = (letter: string): { readonly bytes: Buffer | undefined; readonly release: (() => void) | undefined } => {
    const records = new Records();
    records.add(0, 1 << 15);
    gatherer.add(Buffer.alloc(1 << 15, letter), records, 0, 'a');
    const { batch, release } = gatherer.take();
    const { payload } = batch;
    expect([...messagesOf(batch, null)].map((message) => message.payload)).toEqual([letter.repeat(1 << 15)]);
    return { bytes: payload === null || payload.constant !== undefined ? undefined : payload.latin?.bytes, release };
  };
  const first = take('x');
  const second = take('y');
  expect(second.bytes?.buffer).not.toBe(first.bytes?.buffer);
  first.release?.();
  expect(take('z').bytes?.buffer).toBe(first.bytes?.buffer);
});

it('keeps the line ends of lines that follow each other, so that they are ready to be written', () => {
  const gatherer = new Gatherer('type', 'logger', { withHosts: false });
  for (const chunk of ['one\ntwo\n', 'three\n']) {
    const records = new Records();
    for (const { 0: line, index } of chunk.matchAll(/\w+/g)) records.add(index, index + line.length);
    gatherer.add(Buffer.from(chunk), records, 0, 'a');
  }
  expect(gatherer.take().batch.payload).toMatchObject({ text: 'one\ntwo\nthree', starts: Uint32Array.of(0, 4, 8) });
});
