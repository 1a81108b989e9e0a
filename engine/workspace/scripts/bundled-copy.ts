import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUNDLED_PLUGINS } from '../../bundled.ts';
import { packageVersion } from '../../version.ts';

const MODULE = /(\bfrom ')\.\.\/modules\/([\w-]+)\.ts'/g;
/** In a script the library is a sibling's folder, in the library itself this one. */
const LIBRARY = /\bfrom '(?:\.\.\/lib\/|\.\/)([\w-]+)\.ts'/g;

/**
 * Copies a bundled script so that it runs from `folder`: it imports modules by name, and what it uses of the bundled scripts' own library is
 * copied beside it, into a folder of this version, so that a later version changes nothing for it.
 * @returns the text of the copy
 * @throws what the file system says
 */
export async function copyBundled(script: string, folder: string): Promise<string> {
  const library = `lib-${packageVersion()}`;
  const text = await readFile(script, 'utf8');
  const copied = new Set<string>();
  const copy = async (name: string): Promise<void> => {
    if (copied.has(name)) return;
    copied.add(name);
    const source = await readFile(join(BUNDLED_PLUGINS, 'lib', `${name}.ts`), 'utf8');
    await mkdir(join(folder, library), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, library, `${name}.ts`), byName(source), { mode: 0o600 });
    await copyAll(source);
  };
  const copyAll = async (source: string): Promise<void> => {
    for (const [, name = ''] of source.matchAll(LIBRARY)) await copy(name);
  };
  await copyAll(text);
  return byName(text).replaceAll(`'../lib/`, `'./${library}/`);
}

/** Modules by name instead of by place. */
const byName = (source: string): string => source.replaceAll(MODULE, "$1$2'");
