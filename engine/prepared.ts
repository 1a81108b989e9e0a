import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeFolderSync } from './folders.ts';

/**
 * Texts that take time to make from sources, kept for the next start beside Node's compile cache (`NODE_COMPILE_CACHE`), under a name that
 * holds a hash of the sources. Without such a folder they are made at each start.
 */

const folder = (): string | null => {
  const compiled = getCompileCacheDir();
  return compiled === undefined ? null : join(compiled, 'sluicebox');
};

/** The text that `make` makes from these sources (files, and the files of folders), and the file that it is in when it is kept. */
export function prepared(
  name: `${string}.${string}`,
  sources: readonly URL[],
  make: () => string,
): { readonly text: string; readonly path: string | null } {
  return kept(name, () => fingerprint(sources), make);
}

/** A script without its types; blanks are in their places. Throws the errors of `stripTypeScriptTypes`. */
export function withoutTypes(text: string): string {
  const hash = (): string => createHash('sha256').update(process.version).update(text).digest('hex');
  return kept('script.js', hash, () => stripTypeScriptTypes(text, { mode: 'strip' })).text;
}

/** Whether what is made is kept for the next start. */
export const keepsPrepared = (): boolean => folder() !== null;

/** The text that `make` makes from a text by means of sources that have this fingerprint. */
export function preparedOf(name: `${string}.${string}`, text: string, sources: string, make: () => string): string {
  const hash = (): string => createHash('sha256').update(sources).update(text).digest('hex');
  return kept(name, hash, make).text;
}

function kept(
  name: `${string}.${string}`,
  keyOf: () => string,
  make: () => string,
): { readonly text: string; readonly path: string | null } {
  const place = folder();
  if (place === null) return { text: make(), path: null };
  const [stem, extension] = name.split('.') as [string, string];
  const path = join(place, `${stem}-${keyOf()}.${extension}`);
  try {
    return { text: readFileSync(path, 'utf8'), path };
  } catch {
    // It was not made yet.
  }
  const text = make();
  return { text, path: write(place, path, text) ? path : null };
}

/** Others may write the same at the same time: the file is there whole or not at all. */
function write(place: string, path: string, text: string): boolean {
  try {
    makeFolderSync(place, 0o700);
    const part = `${path}.${randomBytes(8).toString('hex')}.part`;
    writeFileSync(part, text, { mode: 0o600, flag: 'wx' });
    renameSync(part, path);
    removeOld(place);
    return true;
  } catch {
    return false;
  }
}

/** Age since the last use from which a kept file is removed: most likely its sources are gone. */
const OLD_MS = 30 * 24 * 3600 * 1000;

function removeOld(place: string): void {
  for (const name of readdirSync(place)) {
    const path = join(place, name);
    const { atimeMs, mtimeMs } = statSync(path);
    if (Date.now() - Math.max(atimeMs, mtimeMs) > OLD_MS) rmSync(path, { force: true });
  }
}

/** Tells sources by their names, sizes and times. */
export function fingerprint(sources: readonly URL[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of sources.flatMap(filesOf)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`\n${path}\0${size}\0${mtimeMs}`);
  }
  return hash.digest('hex');
}

function filesOf(source: URL): string[] {
  const path = fileURLToPath(source);
  if (!source.href.endsWith('/')) return [path];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(path, entry.name));
}
