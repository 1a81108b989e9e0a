import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SOURCES } from '../../../../engine/sandbox/code/bundle.ts';

/** The module and all that it imports at run time. */
function closureOf(module: URL, found = new Map<string, URL>()): Map<string, URL> {
  if (found.has(module.href)) return found;
  found.set(module.href, module);
  const code = readFileSync(module, 'utf8');
  for (const [, path = ''] of code.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gms))
    closureOf(new URL(path, module), found);
  return found;
}

it.each(['host/main.ts', 'prelude/index.ts'])('the sources have all that %s imports: it is made anew when one changes', (entry) => {
  const modules = closureOf(new URL(`../../../../engine/sandbox/${entry}`, import.meta.url));
  const isSource = ({ href }: URL): boolean =>
    SOURCES.some((source) => href === source.href || (source.href.endsWith('/') && href.startsWith(source.href)));
  expect([...modules.values()].filter((module) => !isSource(module)).map((module) => fileURLToPath(module))).toEqual([]);
  expect(modules.size).toBeGreaterThan(20);
});
