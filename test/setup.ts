import { afterAll, beforeEach, vi } from 'vitest';
import { patienceMs, testMs } from './patience.ts';

/** Gives waits and tests the time that they need on this machine now, so that what will never come is told within seconds. */
const config = (): Parameters<typeof vi.setConfig>[0] => ({ testTimeout: testMs(), hookTimeout: testMs() });
vi.setConfig(config());
beforeEach(() => vi.setConfig({ ...config(), ...{ expect: { poll: { timeout: patienceMs() } } } }));

// Test files share processes: what one changes of its process is gone before the next.
const env = { ...process.env };
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
});
