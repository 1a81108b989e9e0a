import { describe, expect, it } from 'vitest';
import { Recent, recentRecords } from '../../../engine/queue/recent.ts';

const messages = ['a', 'bb', 'ccc', 'dddd'].map((text) => Buffer.from(text));
const known = { messages, path: { loop: 0, injected: false }, of: 'batch', from: 10 };
/** Records that take one byte more than their messages. */
const encoded = messages.map((message) => Buffer.concat([message, Buffer.from('.')]));
const piece = (first: number, count: number, segment: number, offset: number) =>
  recentRecords(encoded.slice(first, first + count), known, first, { segment, offset });

it('records know where they end and what they are of', () => {
  const { begin, cursor, bytes, records, origin } = piece(1, 2, 3, 107);
  expect([begin, cursor, bytes]).toEqual([{ segment: 3, offset: 100 }, { segment: 3, offset: 107 }, 7]);
  expect(records.map(({ message, end }) => [message, end])).toEqual([
    [messages[1], 3],
    [messages[2], 7],
  ]);
  expect(origin).toEqual({ of: 'batch', from: 11 });
});

describe('what was appended last', () => {
  it('is taken at its place, once', () => {
    const recent = new Recent(100);
    recent.add(piece(0, 1, 0, 2));
    recent.add(piece(1, 1, 0, 5));
    expect(recent.beginIn(0)).toBe(0);
    expect(recent.take({ segment: 0, offset: 0 })?.cursor.offset).toBe(2);
    expect(recent.take({ segment: 0, offset: 0 })).toBeNull();
    expect(recent.beginIn(0)).toBe(2);
    expect(recent.beginIn(1)).toBeNull();
  });

  it('is forgotten when a reader is past it, and waits for one that is before it', () => {
    const recent = new Recent(100);
    recent.add(piece(0, 1, 0, 2));
    recent.add(piece(1, 1, 1, 3));
    expect(recent.take({ segment: 0, offset: 1 })).toBeNull();
    expect(recent.take({ segment: 0, offset: 9 })).toBeNull();
    expect(recent.take({ segment: 1, offset: 0 })?.bytes).toBe(3);
  });

  it('is left to the disk where it is too much, until some was read', () => {
    const recent = new Recent(5);
    recent.add(piece(3, 1, 0, 5));
    recent.add(piece(0, 1, 0, 7));
    expect(recent.take({ segment: 0, offset: 0 })?.bytes).toBe(5);
    expect(recent.take({ segment: 0, offset: 5 })).toBeNull();
    recent.add(piece(0, 1, 0, 9));
    expect(recent.take({ segment: 0, offset: 7 })?.bytes).toBe(2);
  });
});
