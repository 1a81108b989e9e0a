import { readRegularFile } from '../../base/files/regular-file.ts';
import { isDeepStrictEqual } from 'node:util';
import { readMeta } from '../../plugins/meta.ts';
import { bundledScript } from '../../sandbox/code/script-bundle.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';

/** An import of a file by its path. */
const IMPORT = /\bfrom\s*['"]\.{1,2}\//;

/**
 * The text of a script as a workspace takes it along: one file with what it imports by paths, which is not on the other machine, or is another
 * script of that name there.
 * @throws errors of the file system
 */
export async function packedScript(path: string): Promise<string> {
  const text = (await readRegularFile(path, MAX_SCRIPT_BYTES)).bytes.toString('utf8');
  return IMPORT.test(text) ? (inOneFile(path, text) ?? text) : text;
}

/** null: it cannot be one file that says the same about itself. */
function inOneFile(path: string, text: string): string | null {
  try {
    const whole = bundledScript(path);
    return isDeepStrictEqual(readMeta(whole, path), readMeta(text, path, 'folder')) ? whole : null;
  } catch {
    return null;
  }
}
