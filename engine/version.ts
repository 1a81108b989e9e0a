import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The version of this build, from the package that it is part of. */
export function packageVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(resolve(import.meta.dirname, path), 'utf8')) as { name?: string; version?: string };
      if (found.name === 'sluicebox' && found.version !== undefined) return found.version;
    } catch {
      // The bundled engine lies one folder deeper than its sources do.
    }
  }
  return 'unknown';
}
