import { readRegularFile } from '../../base/files/regular-file.ts';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import { readMeta } from '../../plugins/meta.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';

const BUNDLING = new URL('./bundling-thread.ts', import.meta.url);
/** An import of a file by its path. */
const IMPORT = /\bfrom\s*['"]\.{1,2}\//;

/**
 * The text of a script as a workspace takes it along: one file with what it imports by paths, which is not on the other machine, or is another
 * script of that name there.
 * @throws errors of the file system
 */
export async function packedScript(path: string): Promise<string> {
  const text = (await readRegularFile(path, MAX_SCRIPT_BYTES)).bytes.toString('utf8');
  return IMPORT.test(text) ? ((await inOneFile(path, text)) ?? text) : text;
}

/** null: it cannot be one file that says the same about itself. */
async function inOneFile(path: string, text: string): Promise<string | null> {
  try {
    const whole = await bundledInThread(path);
    return isDeepStrictEqual(readMeta(whole, path), readMeta(text, path, 'folder')) ? whole : null;
  } catch {
    return null;
  }
}

/** Bundles in a thread of its own: a script can bring the compiler of types down for all that comes after it. */
function bundledInThread(path: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const thread = new Worker(BUNDLING, { workerData: path }).on('message', resolve).on('error', reject);
  thread.on('exit', () => reject(new Error('the thread ended without a text')));
  return promise;
}
