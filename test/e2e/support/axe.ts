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

/** What axe-core finds wrong with the page as it is, in a line each. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(async () => {
    const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.all(passing.map(({ finished }) => finished.catch(() => undefined)));
    return (window as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run();
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
