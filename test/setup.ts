import { beforeEach, vi } from 'vitest';
import { patienceMs, testMs } from './patience.ts';

/** Gives waits and tests the time that they need on this machine now, so that what will never come is told within seconds. */
const config = (): Parameters<typeof vi.setConfig>[0] => ({ testTimeout: testMs(), hookTimeout: testMs() });
vi.setConfig(config());
beforeEach(() => vi.setConfig({ ...config(), ...{ expect: { poll: { timeout: patienceMs() } } } }));
