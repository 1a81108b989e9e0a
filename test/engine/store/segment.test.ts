import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../engine/message/batch/builder.ts';
import type { Message } from '../../../engine/message/types.ts';
import { aliveRows, partOf, partRange, rawOf, rawText, withoutRaw, withRaw, type Segment } from '../../../engine/store/segment.ts';

const batch = batchOf(
  ['a', undefined, 'c'].map((payload): Message => ({
    uuid: new Uint8Array(16),
    timestamp: 1n,
    fields: [],
    ...(payload !== undefined && { payload }),
  })),
);
const raw = { text: 'one two', starts: Uint32Array.of(0, 4), ends: Uint32Array.of(3, 7), rows: Uint32Array.of(0, 1) };

describe('the records as they were read', () => {
  it('are a column of their own', () => {
    const stored = withRaw(batch, raw);
    expect(stored.fields).toHaveLength(1);
    expect(rawOf(stored)).toMatchObject({ text: 'one two', rows: raw.rows });
    expect(withoutRaw(stored).fields).toEqual([]);
    expect([withRaw(batch, null), withoutRaw(batch), rawOf(batch)]).toEqual([batch, batch, null]);
  });

  it('may all be alike', () => expect(rawText(withRaw(batch, { constant: 'x' })).at(2)).toBe('x'));

  it('have the payload in their place where they are missing', () => {
    const text = rawText(withRaw(batch, raw));
    expect([0, 1, 2].map((row) => text.at(row))).toEqual(['one', 'two', 'c']);
    expect([0, 1, 2].map((row) => rawText(batch).at(row))).toEqual(['a', '', 'c']);
    expect(text.columns).toHaveLength(2);
    expect(
      rawText(withRaw(batch, { text: 'abc', starts: Uint32Array.of(0, 1, 2), ends: Uint32Array.of(1, 2, 3), rows: null })).columns,
    ).toHaveLength(1);
  });
});

describe('parts', () => {
  const segment = {
    length: 10,
    parts: [
      { firstRow: 0, source: 1, removed: false },
      { firstRow: 4, source: 2, removed: true },
      { firstRow: 7, source: 1, removed: false },
    ],
  } as unknown as Segment;

  it('have the rows up to the next one', () => {
    expect([0, 1, 2].map((part) => partRange(segment, part))).toEqual([
      [0, 4],
      [4, 7],
      [7, 10],
    ]);
    expect([0, 3, 4, 6, 7, 9].map((row) => partOf(segment, row).firstRow)).toEqual([0, 0, 4, 4, 7, 7]);
  });

  it('that are removed do not count', () => expect(aliveRows(segment)).toBe(7));
});
