import { beforeEach, expect, vi } from 'vitest';
import { patienceMs, testMs } from './patience.ts';

/** Gives waits and tests the time that they need on this machine now, so that what will never come is told within seconds. */
function giveTime(): void {
  vi.setConfig({ testTimeout: testMs(), hookTimeout: testMs(), ...{ expect: { poll: { timeout: patienceMs() } } } });
}
giveTime();
beforeEach(giveTime);

/** Equal bytes are found to be equal at once: to compare megabytes one by one takes many seconds. Others are compared as usual, for what is told of them. */
expect.addEqualityTesters([
  (a: unknown, b: unknown) =>
    a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor && Buffer.compare(a, b) === 0 ? true : undefined,
]);
