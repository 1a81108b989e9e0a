import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Expects that axe-core finds nothing wrong with the page, once what moves or fades in has come to rest. */
export const expectNoFindings = (page: Page, what = 'findings of axe-core'): Promise<void> =>
  expect.poll(() => findings(page), { message: what }).toEqual([]);

/** Milliseconds that an animation may take; a window that does not draw ends none. */
const REST_MS = 2000;

/** Faults that axe-core finds in the page as it is, one line each. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (restMs) => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    const atRest = Promise.all(passing.map(({ finished }) => finished.catch(() => undefined)));
    await Promise.race([atRest, new Promise((late) => setTimeout(late, restMs))]);
    return (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run();
  }, REST_MS);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
