import { beforeEach, vi } from 'vitest';
import { patienceMs, testMs } from './patience.ts';

/** Gives waits and tests the time that they need on this machine now, so that what will never come is told within seconds. */
function giveTime(): void {
  vi.setConfig({ testTimeout: testMs(), hookTimeout: testMs(), ...{ expect: { poll: { timeout: patienceMs() } } } });
}
giveTime();
beforeEach(giveTime);
