import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeNode {
  readonly html: string;
  /** How to mend it, such as the contrast that is needed. */
  readonly failureSummary?: string;
}

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly AxeNode[] }[];
}

/** Expects that axe-core finds nothing wrong with the page, once what moves or fades in has come to rest. */
export async function expectNoFindings(page: Page, what = 'the page'): Promise<void> {
  let last: readonly string[] = [];
  const count = async (): Promise<number> => (last = await findings(page)).length;
  await expect
    .poll(count)
    .toBe(0)
    // The runner shortens values; which element it is must be read from the report of another machine.
    .catch((cause: unknown) => Promise.reject(new Error(`axe-core finds in ${what}: ${last.join('\n')}`, { cause })));
}

/** Milliseconds that an animation may take; a window that does not draw ends none. */
const REST_MS = 2000;

/** Faults that axe-core finds in the page as it is, one line each. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (restMs) => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    const atRest = Promise.all(passing.map(({ finished }) => finished.catch(() => undefined)));
    await Promise.race([atRest, new Promise((late) => setTimeout(late, restMs))]);
    for (const animation of passing) animation.finish();
    return (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run();
  }, REST_MS);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
