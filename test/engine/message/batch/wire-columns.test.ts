import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTS, TEXTS } from '../../../../engine/api/headers.ts';
import type { MessageBatch } from '../../../../engine/message/batch/batch.ts';
import { batchOf } from '../../../../engine/message/batch/builder.ts';
import { messagesOf } from '../../../../engine/message/batch/row-index.ts';
import { ColumnPlan, readHead, type ReadBytes } from '../../../../engine/message/batch/wire-columns.ts';
import { WireError, type WantedColumns } from '../../../../engine/message/batch/wire.ts';
import { messages } from '../arbitraries.ts';
import { encode, plain } from './wire-fixtures.ts';

/** Reads from bytes, and counts what is read. */
function readerOf(bytes: Uint8Array): { read: ReadBytes; taken: () => number } {
  let taken = 0;
  const read: ReadBytes = (offset, target) => {
    taken += target.length;
    target.set(bytes.subarray(offset, offset + target.length));
    return Promise.resolve();
  };
  return { read, taken: () => taken };
}

async function columnsOf(bytes: Uint8Array, wanted: WantedColumns): Promise<MessageBatch> {
  const { read } = readerOf(bytes);
  return new ColumnPlan(await readHead(bytes.length, read), wanted).read(read);
}

/** The batch without the columns that are not wanted. */
function narrowed(batch: MessageBatch, { header, field }: WantedColumns): MessageBatch {
  const headers = Object.fromEntries([...TEXTS, ...INTS].map(({ member }) => [member, header(member) ? batch[member] : null]));
  return batch.with({ ...headers, fields: batch.fields.filter(({ name }) => field(name)) });
}

const contents = (batch: MessageBatch): unknown[] => [...messagesOf(batch)].map((message) => ({ ...message, uuid: null }));

describe('columns of an encoded batch', () => {
  it('are those of the whole batch, whichever are wanted', async () => {
    const members = [...TEXTS, ...INTS].map(({ member }) => member);
    await fc.assert(
      fc.asyncProperty(messages(), fc.subarray(members), fc.func(fc.boolean()), async (list, headers, ofField) => {
        const wanted: WantedColumns = { header: (member) => headers.includes(member), field: ofField };
        const batch = batchOf(list);
        expect(contents(await columnsOf(encode(batch), wanted))).toEqual(contents(narrowed(batch, wanted)));
      }),
    );
  });

  it('are read without the texts of the others', async () => {
    const list = Array.from({ length: 4000 }, (_, i) =>
      plain({
        payload: `a long line ${i}`.repeat(10),
        severity: i % 8,
        fields: [
          { name: 'status', valueType: 3, values: [i] },
          { name: 'wide', valueType: 0, values: [`\u0416${'w'.repeat(i % 90)}`] },
        ],
      }),
    );
    const bytes = encode(batchOf(list));
    const { read, taken } = readerOf(bytes);
    const head = await readHead(bytes.length, read);
    const plan = new ColumnPlan(head, { header: (member) => member === 'severity', field: (name) => name === 'status' });
    const batch = await plan.read(read);
    expect(Array.from({ length: 4000 }, (_, i) => batch.message(i).fields[0]?.values[0])).toEqual(list.map((_, i) => i));
    expect([batch.payload, batch.fields.length, batch.message(7).severity]).toEqual([null, 1, 7]);
    expect(taken()).toBeLessThan(4000 * 30);
    expect(bytes.length).toBeGreaterThan(4000 * 200);
  });

  it('fail only with a WireError when bytes are changed', async () => {
    await fc.assert(
      fc.asyncProperty(messages(), fc.nat(), fc.nat(255), async (list, at, value) => {
        const bytes = encode(batchOf(list));
        bytes[at % Math.min(bytes.length, 400)] = value;
        try {
          contents(await columnsOf(bytes, { header: () => true, field: () => true }));
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});
