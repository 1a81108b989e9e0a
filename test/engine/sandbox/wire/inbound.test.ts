import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ForgedResultError } from '../../../../engine/sandbox/contract/errors.ts';
import type { readResult } from '../../../../engine/sandbox/wire/inbound.ts';
import { genuine, read } from './genuine.ts';

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
