import { describe, expect, test } from 'vitest';
import { detect, parse_config } from '../../plugins/modules/anomaly.ts';
import { CircularBuffer } from '../../plugins/modules/circular_buffer.ts';
import { closeTo, readCases, type Operation } from './support/conformance.ts';

type Method = (...args: unknown[]) => unknown;

const FUNCTIONS: Record<string, Method> = {
  new: (...args) => new CircularBuffer(...(args as ConstructorParameters<typeof CircularBuffer>)),
  parse_config: (text) => parse_config(text as string),
  detect: (...args) => detect(...(args as Parameters<typeof detect>)),
};

/** Calls the operation on the objects that earlier ones made. */
function call({ obj, op, args }: Operation, results: Map<number, unknown>): unknown {
  const values = args.map((arg) => (typeof arg === 'object' && arg !== null ? results.get(arg.ref) : arg));
  if (obj === null) return FUNCTIONS[op]?.(...values);
  const buffer = results.get(obj) as Record<string, Method>;
  const result = buffer[op === 'output' ? 'toPayload' : op]?.(...values);
  // The reference wrote out the buffer that `format` returns when it was recorded, which empties the deltas.
  if (op === 'format') (result as CircularBuffer).toPayload();
  return result;
}

/** All returned values as a list without trailing nulls. */
function listOf(result: unknown): unknown[] {
  const list = Array.isArray(result) ? [...(result as unknown[])] : [result];
  while (list.length > 0 && (list.at(-1) === null || list.at(-1) === undefined)) list.pop();
  return list;
}

/** The reference starts its maximum at the smallest positive number, so it finds none among values that are not positive. We find it. */
function mendedMaximum({ op, args, returns }: Operation, actual: unknown[]): boolean {
  return op === 'compute' && args[0] === 'max' && returns?.[0] === 'nan' && actual[1] === returns[1] && (actual[0] as number) <= 0;
}

function sameValue(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(actual) && actual.length === expected.length && expected.every((e, i) => sameValue(actual[i], e));
  if (typeof expected === 'object' && expected !== null) {
    return Object.entries(expected).every(([key, value]) => sameValue((actual as Record<string, unknown>)[key], value));
  }
  return closeTo(actual, expected);
}

describe.each(['cbuf.jsonl', 'anomaly.jsonl'])('%s', (file) => {
  test.each(readCases<Operation[], unknown>(file))('$case', ({ input }) => {
    const results = new Map<number, unknown>();
    for (const operation of input) {
      if (operation.raises) {
        expect(() => call(operation, results), JSON.stringify(operation)).toThrow();
        continue;
      }
      const result = call(operation, results);
      results.set(operation.id, result);
      if (operation.returns === undefined) continue;
      const actual = listOf(result);
      if (mendedMaximum(operation, actual)) continue;
      expect(sameValue(actual, listOf(operation.returns)), `${JSON.stringify(operation)} returned ${JSON.stringify(actual)}`).toBe(true);
    }
  });
});
