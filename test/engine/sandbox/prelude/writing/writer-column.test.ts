import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeArena } from '../../../../../engine/sandbox/prelude/arena.ts';
import { takeBlock } from '../../../../../engine/sandbox/prelude/block.ts';
import { newColumn } from '../../../../../engine/sandbox/prelude/writing/writer-column.ts';
import { ARENA, type OutField } from '../../../../../engine/sandbox/contract/protocol.ts';

const INPUT = 'abcdefghijklmnopqrstuvwxyz';

type Value =
  | { readonly kind: 'slice'; readonly start: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: string[] };

const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('slice' as const), start: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('text' as const), text: fc.constantFrom('x', 'y', '') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('list' as const),
      texts: fc.array(fc.constantFrom('p', 'q'), { minLength: 1, maxLength: 3 }),
    }),
  },
);
/** The values that are written for a message one over the other, and whether it is injected. */
const message = fc.record({
  values: fc.oneof({ weight: 6, arbitrary: value.map((one) => [one]) }, { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) }),
  isInjected: fc.boolean(),
});

const textsOf = (written: Value): string[] =>
  written.kind === 'list' ? written.texts : [written.kind === 'text' ? written.text : INPUT.slice(written.start, written.start + 3)];

/** The values of the messages by their numbers. */
function readBack(fields: readonly OutField[]): Record<number, string[]> {
  const [block, arena] = [takeBlock(), takeArena()];
  const words = (at: number, count: number): Uint32Array => new Uint32Array(block, at, count);
  const found: Record<number, string[]> = {};
  for (const { entries, count, rows, offsets, values, ends, text } of fields) {
    const backing = text === ARENA ? arena : INPUT;
    const texts = Array.from(words(values, count), (start, i) => backing.slice(start, words(ends, count)[i]));
    for (let entry = 0; entry < entries; entry++) {
      const [from, to] = offsets < 0 ? [entry, entry + 1] : (Array.from(words(offsets + entry * 4, 2)) as [number, number]);
      found[rows < 0 ? entry : (words(rows, entries)[entry] as number)] = texts.slice(from, to);
    }
  }
  return found;
}

test('a column has the last value of each message that was injected, whatever the others are', () => {
  const column = newColumn({ name: 'a', kind: 'text' });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 80 }), (messages) => {
      const expected: Record<number, string[]> = {};
      let count = 0;
      for (const { values, isInjected } of messages) {
        for (const written of values) {
          if (written.kind === 'slice') column.slice(count, 0, written.start, written.start + 3);
          else if (written.kind === 'text') column.text(count, written.text);
          else column.list(count, written.texts);
        }
        const last = values.at(-1);
        if (!isInjected) column.clear(count, count + 1);
        else if (last === undefined) count++;
        else expected[count++] = textsOf(last);
      }
      const fields = column.take(
        count,
        Uint32Array.from({ length: Math.max(1, count) }, (_, i) => i),
        count,
      );
      expect(readBack(fields)).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});
