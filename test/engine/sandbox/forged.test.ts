import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodedResult } from '../../../engine/sandbox/wire/encoded.ts';
import { ForgedResultError } from '../../../engine/sandbox/contract/errors.ts';
import { encodeFrame, FrameReader, type Frame } from '../../../engine/sandbox/wire/frames.ts';
import { readResult } from '../../../engine/sandbox/wire/inbound.ts';
import { ARENA, type OutField, type ResultHead } from '../../../engine/sandbox/contract/protocol.ts';

/** A result of two messages from rows 0 and 2, with a value of every kind. */
function genuine(): { head: ResultHead; block: ArrayBuffer; arena: string } {
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

const frameOf = (head: unknown, block: ArrayBuffer, arena: string): Frame => ({
  ...{ kind: 4, box: 1, call: 1, head: JSON.stringify(head), block, texts: Buffer.from(arena) },
});

const read = (head: unknown, block: ArrayBuffer, arena: string) => readResult(frameOf(head, block, arena), 3, ['the text']);

test('a genuine result is read', () => {
  const { head, block, arena } = genuine();
  const { injected, origins } = read(head, block, arena);
  expect([...(origins ?? [])]).toEqual([0, 2]);
  expect(injected?.message(1)).toEqual({
    ...{ uuid: new Uint8Array(16).fill(7), timestamp: -1n, type: 't', logger: 'de', payload: ' t', severity: 2 },
    fields: [
      { name: 's', representation: 'B', valueType: 0, values: ['de'] },
      { name: 'y', representation: 'B', valueType: 1, values: [Uint8Array.of(7, 7)] },
      { name: 'i', representation: 'B', valueType: 2, values: [-1n] },
      { name: 'd', representation: 'B', valueType: 3, values: [NaN, 2] },
      { name: 'o', representation: 'B', valueType: 4, values: [false] },
      { name: 'one', representation: 'B', valueType: 3, values: [1.5] },
    ],
  });
});

/** Paths to everything in a JSON value. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))];
}

function replaced(value: unknown, path: readonly (string | number)[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

describe('a forged result is refused, or is a whole batch all the same', () => {
  const anything = fc.oneof(
    fc.constantFrom(-1, -2, 0, 1, 2, 3, 4, 8, 100, 255, 256, 2 ** 31, 2 ** 32, 2 ** 53, 1.5, NaN, null, '', 'x', [], {}, true),
    fc.integer(),
    fc.jsonValue(),
  );

  test('in its head', () => {
    const { head, block, arena } = genuine();
    const paths = pathsOf(head);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), anything), { minLength: 1, maxLength: 3 }), (changes) => {
        const forged = changes.reduce((current, [path, by]) => {
          try {
            return replaced(current, path, by);
          } catch {
            return current;
          }
        }, head as unknown);
        walk(() => read(forged, block, arena));
      }),
      { numRuns: 5000 },
    );
  });

  test('in its block and its text', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 256 }), fc.nat(255), fc.string({ maxLength: 8 }), (bytes, at, arena) => {
        const { head, block } = genuine();
        new Uint8Array(block).set(bytes.subarray(0, 256 - at), at);
        walk(() => read(head, block, arena));
      }),
      { numRuns: 2000 },
    );
  });

  function walk(attempt: () => ReturnType<typeof readResult>): void {
    let received: ReturnType<typeof readResult>;
    try {
      received = attempt();
    } catch (error) {
      expect(error).toBeInstanceOf(ForgedResultError);
      return;
    }
    const { injected, origins } = received;
    for (let row = 0; row < (injected?.length ?? 0); row++) injected?.message(row);
    for (const origin of origins ?? []) expect(origin).toBeLessThan(3);
  }
});

test('a forged encoding is refused, or is whole', () => {
  const number = fc.oneof(fc.integer({ min: -2, max: 40 }), fc.constantFrom(2 ** 32, 1.5, null));
  const place = fc.record({
    count: number,
    rows: number,
    lengths: number,
    forms: number,
    from: number,
    to: number,
    bytes: number,
    bytesLength: number,
  });
  fc.assert(
    fc.property(place, fc.uint8Array({ minLength: 64, maxLength: 64 }), (encoded, bytes) => {
      const { head } = genuine();
      const frame = frameOf({ ...head, encoded }, new Uint8Array(bytes).buffer, 'abcde');
      try {
        const received = {
          head: { ...head, passed: 0, encoded: encoded as ResultHead['encoded'] },
          injected: null,
          origins: null,
          kinds: null,
          ownUuids: null,
        };
        const { encoded: rows } = encodedResult(frame, received, 3, null);
        expect(rows?.ends.at(-1) ?? 0).toBe(rows?.bytes.length ?? 0);
      } catch (error) {
        expect(error).toBeInstanceOf(ForgedResultError);
      }
    }),
    { numRuns: 3000 },
  );
});

test('frames are read whatever pieces they come in', () => {
  const frame = fc.record({
    kind: fc.nat(20),
    box: fc.nat(),
    call: fc.nat(),
    head: fc.string(),
    block: fc.uint8Array({ maxLength: 50 }).map((bytes) => [bytes]),
    texts: fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 40 })), (frames, sizes) => {
      const bytes = Buffer.concat(frames.flatMap((one) => encodeFrame(one)));
      const reader = new FrameReader();
      const read: Frame[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const size = sizes[i % Math.max(1, sizes.length)] ?? bytes.length;
        reader.push(bytes.subarray(at, at + size));
        for (let one = reader.next(); one !== null; one = reader.next()) read.push(one);
        at += size;
      }
      expect(
        read.map(({ kind, box, call, head, block, texts }) => [kind, box, call, head, ...new Uint8Array(block), '|', ...texts]),
      ).toEqual(
        frames.map(({ kind, box, call, head, block, texts }) => [
          kind,
          box,
          call,
          head.toWellFormed(),
          ...block.flatMap((b) => [...b]),
          '|',
          ...texts.flatMap((b) => [...b]),
        ]),
      );
      expect(reader.inside).toBe(false);
    }),
  );
});
