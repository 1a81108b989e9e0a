import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runSteps, type Step } from '../../../scripts/lib/steps.mjs';

const counts = (passed: number) => ({ passed, failed: 0, skipped: 0, failures: [] });
const step = (name: string, part: string): Step => ({ name, part, run: () => Promise.resolve(counts(0)) });

describe('runSteps', () => {
  const steps = [step('format', 'lint'), step('types', 'lint'), step('unit', 'unit'), step('producers', 'producers'), step('e2e', 'e2e')];

  it('begins the unit tests at once, beside the checks and real servers one after the other, and then the rest', async () => {
    const log: string[] = [];
    const result = await runSteps(steps, async ({ name }) => {
      log.push(`> ${name}`);
      // The unit tests last as long as all of these.
      for (let turn = 0; turn < (name === 'unit' ? 5 : 1); turn++) await delay(1);
      while (name === 'unit' && !log.includes('< producers')) await delay(1);
      log.push(`< ${name}`);
      return counts(name.length);
    });
    expect(log).toEqual([
      ...['> format', '> unit', '< format', '> types', '< types', '> producers', '< producers', '< unit'],
      ...['> e2e', '< e2e'],
    ]);
    expect(result.map(({ passed }) => passed)).toEqual([6, 5, 9, 4, 3]);
  });

  it('leaves out what is not wanted', async () => {
    const log: string[] = [];
    await runSteps([step('e2e', 'e2e')], ({ name }) => {
      log.push(name);
      return Promise.resolve(counts(0));
    });
    expect(log).toEqual(['e2e']);
  });
});
