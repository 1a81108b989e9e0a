import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { Holds } from '../../../engine/pipeline/holds.ts';

/** A call, as its action for each of its messages: nothing, hold, release, or release and hold the message itself. */
const call = fc.array(fc.constantFrom('', 'hold', 'release', 'release and hold'), { maxLength: 5 });

describe('held messages', () => {
  it('are safe when a later call releases them, and not before', async () => {
    const holds = new Holds();
    const states: string[] = [];
    const follow = (name: string, safe: Promise<void>): void =>
      void safe.then(
        () => states.push(`${name} safe`),
        (error: unknown) => states.push(`${name} ${error instanceof NotDeliveredError ? error.done : 'failed'}`),
      );
    holds.note(3, { released: false, kept: 1 });
    follow('a', holds.safe(3, holds.taken));
    holds.note(2, { released: false, kept: 0 });
    follow('b', holds.safe(2, holds.taken));
    await Promise.resolve();
    expect(states).toEqual([]);
    holds.note(0, { released: true, kept: 0 });
    holds.note(4, { released: true, kept: 3 });
    follow('c', holds.safe(4, holds.taken));
    await Promise.resolve();
    expect(states).toEqual(['a safe', 'b safe']);
    holds.end();
    follow('d', holds.safe(1, holds.taken));
    await new Promise((resolve) => setImmediate(resolve));
    expect(states).toEqual(['a safe', 'b safe', 'c 1', 'd 0']);
  });

  it('are those from the first one held behind the last release on, whatever calls they came in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 8 }), async (calls) => {
        const holds = new Holds();
        const safe: Promise<number>[] = [];
        let held: number | null = null;
        let count = 0;
        for (const actions of calls) {
          let first = -1;
          let released = false;
          for (const [row, action] of actions.entries()) {
            if (action.startsWith('release')) {
              [first, released, held] = [-1, true, null];
            }
            if (action.endsWith('hold')) {
              if (first < 0) first = row;
              held ??= count;
            }
            count++;
          }
          holds.note(actions.length, { released, kept: first < 0 ? 0 : actions.length - first });
          const { length } = actions;
          const through = (error: unknown): number => (error as NotDeliveredError).done;
          safe.push(holds.safe(length, holds.taken).then(() => length, through));
        }
        holds.end();
        const done = (await Promise.all(safe)).reduce((sum, messages) => sum + messages, 0);
        expect(done).toBe(held ?? count);
      }),
    );
  });
});
