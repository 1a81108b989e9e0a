import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotDeliveredError } from '../../../engine/outputs/delivery.ts';
import { AckTracker } from '../../../engine/pipeline/ack-tracker.ts';

/** A call, as its action for each of its messages: nothing, hold, release, or release and hold the message itself. */
const call = fc.array(fc.constantFrom('', 'hold', 'release', 'release and hold'), { maxLength: 5 });

describe('held messages', () => {
  it('are safe when a later call releases them, and not before', async () => {
    const acks = new AckTracker();
    const states: string[] = [];
    const follow = (name: string, safe: Promise<void>): void =>
      void safe.then(
        () => states.push(`${name} safe`),
        (error: unknown) => states.push(`${name} ${error instanceof NotDeliveredError ? error.done : 'failed'}`),
      );
    acks.note(3, { released: false, kept: 1 });
    follow('a', acks.safe(3, acks.taken));
    acks.note(2, { released: false, kept: 0 });
    follow('b', acks.safe(2, acks.taken));
    await Promise.resolve();
    expect(states).toEqual([]);
    acks.note(0, { released: true, kept: 0 });
    acks.note(4, { released: true, kept: 3 });
    follow('c', acks.safe(4, acks.taken));
    await Promise.resolve();
    expect(states).toEqual(['a safe', 'b safe']);
    acks.end();
    follow('d', acks.safe(1, acks.taken));
    await new Promise((resolve) => setImmediate(resolve));
    expect(states).toEqual(['a safe', 'b safe', 'c 1', 'd 0']);
  });

  it('are those from the first one held behind the last release on, whatever calls they came in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 8 }), async (calls) => {
        const acks = new AckTracker();
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
          acks.note(actions.length, { released, kept: first < 0 ? 0 : actions.length - first });
          const { length } = actions;
          const through = (error: unknown): number => (error as NotDeliveredError).done;
          safe.push(acks.safe(length, acks.taken).then(() => length, through));
        }
        acks.end();
        const done = (await Promise.all(safe)).reduce((sum, messages) => sum + messages, 0);
        expect(done).toBe(held ?? count);
      }),
    );
  });
});
