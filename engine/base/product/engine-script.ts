import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the engine's bundles, each in a folder of its own, and the file that names the last one. */
const BUNDLES = join('out', 'engine');
const RECORD = 'current.json';

/** The build's record of a bundle: its folder, and the sources by which it is seen to be out of date. */
interface Bundle {
  readonly folder: string;
  /** The sources of the bundle; empty in a package, where they do not change. */
  readonly sources: readonly (readonly [path: string, size: number, changed: number])[];
}

/**
 * The script of the engine process: its bundle, which loads in a third of the time, or its sources, when the bundle is missing or older than they are.
 * @param root the folder that holds engine, plugins and resources
 */
export function engineScript(root: string): string {
  return currentBundle(root) ?? join(root, 'engine', 'index.ts');
}

function currentBundle(root: string): string | null {
  try {
    const { folder, sources } = JSON.parse(readFileSync(join(root, BUNDLES, RECORD), 'utf8')) as Bundle;
    const isCurrent = sources.every(([path, size, changed]) => {
      const found = statSync(join(root, path));
      return found.size === size && found.mtimeMs === changed;
    });
    const file = join(root, BUNDLES, folder, 'main.mjs');
    return isCurrent && statSync(file).isFile() ? file : null;
  } catch {
    return null;
  }
}
