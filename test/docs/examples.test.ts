import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { formatProblem } from '../../engine/config/problems.ts';
import { startSandboxes, type Sandboxes } from '../../engine/plugins/starter.ts';
import { checkConfig } from '../../engine/service/check/check-config.ts';
import { pagesBelow } from '../../scripts/lib/doc-pages.mjs';

const root = resolve(import.meta.dirname, '../..');

/** Examples that are wrong, as their page says. */
const WRONG = ['refused.toml'];
/** Stands in for the scripts that the pages leave to their readers. */
const SCRIPT = 'function process_message() { return 0; }\n';
const TIMER = 'function timer_event() { inject_payload("txt", "", "x"); }\n';

/** The configurations of a page: file names that it gives them, and texts. */
const examplesOf = (page: string): (readonly [name: string, text: string])[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```toml(.*)\n([^]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name.trim(),
    text,
  ]);

const pages = ['README.md', ...pagesBelow('docs').map((name) => `docs/${name}`)].filter((page) => examplesOf(page).length > 0);

let sandboxes: Sandboxes;
const folder = mkdtempSync(join(tmpdir(), 'sluicebox-examples-'));
beforeAll(() => {
  sandboxes = startSandboxes({ hosts: 1, here: { interruptible: true } });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await sandboxes.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a file where a section names one. */
function stub(name: string, section: string): void {
  const path = resolve(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  const script = /ticker_interval|timer_event/.test(section) ? SCRIPT + TIMER : SCRIPT;
  writeFileSync(path, /\.[jt]s$/.test(name) ? script : '', { mode: 0o600 });
}

/** Result of the check of a configuration. The folders of the system are those of the test. */
async function said(text: string): Promise<string[]> {
  const mapped = text.replaceAll(/"\/(var|etc|lake)\b/g, `"${folder}/$1`);
  for (const section of mapped.split(/^(?=\[)/m))
    for (const [, names = ''] of section.matchAll(/^(?:filename|\w+_file) = "(.*)"$/gm))
      for (const name of names.split(/, */)) stub(name, section);
  const path = join(folder, 'example.toml');
  writeFileSync(path, mapped);
  return saidOf(path);
}

async function saidOf(path: string): Promise<string[]> {
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(/%ENV\[(\w+)\]/g)) vi.stubEnv(name, 'given');
  const { problems, warnings } = await checkConfig(path, () => sandboxes);
  // A page may show one section of several.
  return [...problems.filter(({ code }) => code !== 'config.empty').map(formatProblem), ...warnings];
}

describe.each(pages)('the configurations of %s', (page) => {
  const examples = examplesOf(page).filter(([name]) => !WRONG.includes(name));
  it.each(examples.map(([name, text], i) => [`${i + 1} ${name}`, text] as const))('%s', async (_name, text) =>
    expect(await said(text)).toEqual([]),
  );
});

const SHIPPED = join(root, 'resources/examples');

describe('the examples that are shipped', () => {
  it.each(readdirSync(SHIPPED).filter((name) => name.endsWith('.toml')))('%s', async (name) =>
    expect(await saidOf(join(SHIPPED, name))).toEqual([]),
  );
});
