import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The module and all that it imports at run time. */
function closureOf(module: URL, found = new Map<string, URL>()): Map<string, URL> {
  if (found.has(module.href)) return found;
  found.set(module.href, module);
  const code = readFileSync(module, 'utf8');
  for (const [, path = ''] of code.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gms))
    closureOf(new URL(path, module), found);
  return found;
}

/** The number of modules that a module of the engine imports, and those of them that are in none of the sources: files, and folders of files. */
export function importsOf(entry: string, sources: readonly URL[]): { readonly count: number; readonly others: readonly string[] } {
  const modules = [...closureOf(new URL(`../../engine/${entry}`, import.meta.url)).values()];
  const isSource = ({ href }: URL): boolean =>
    sources.some((source) => href === source.href || (source.href.endsWith('/') && href.startsWith(source.href)));
  return { count: modules.length, others: modules.filter((module) => !isSource(module)).map((module) => fileURLToPath(module)) };
}
