import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLED_PLUGINS } from '../base/product/bundled.ts';
import { shippedHash, shippedName } from '../base/product/shipped.ts';

/** The text of `plugins/shipped.json`: the hashes of all bundled scripts and modules as they are now, by their names. */
export function shippedList(): string {
  const paths = globSync('*/**/*.ts', { cwd: BUNDLED_PLUGINS }).map((path) => join(BUNDLED_PLUGINS, path));
  const listed = paths.map((path) => [shippedName(path), shippedHash(readFileSync(path, 'utf8'))] as const);
  return `${JSON.stringify(Object.fromEntries(listed.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
}

if (import.meta.main) process.stdout.write(shippedList());
