import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The sources in the folder `preloaded`, each of which says what it does and by which variables. */
type Library = 'failing-writes' | 'shifted-clock' | 'stale-files';

/** Why there may be none. */
export const NO_COMPILER = 'no C compiler (cc)';

const compiled = new Map<Library, string | null>();
let folder: string | undefined;

/** Compiles a library for `LD_PRELOAD`, by which system calls of a process can be made to fail or to lie; null: not here, or there is no compiler. */
export function preloaded(name: Library): string | null {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const path = process.platform === 'linux' ? compile(name) : null;
  compiled.set(name, path);
  return path;
}

function compile(name: Library): string | null {
  if (folder === undefined) {
    const made = (folder = mkdtempSync(join(tmpdir(), 'sluicebox-preload-')));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
  }
  const path = join(folder, `${name}.so`);
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', path, join(import.meta.dirname, 'preloaded', `${name}.c`), '-ldl'], {
      stdio: 'ignore',
    });
    return path;
  } catch {
    return null;
  }
}
