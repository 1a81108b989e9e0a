import { constants, accessSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a program that is called by its name alone, from the `PATH` of this process; null: not found. A command that gets an
 * environment of its own is looked up in that of the service.
 */
export function findProgram(name: string, path: string = process.env.PATH ?? ''): string | null {
  const names = process.platform === 'win32' ? ['.exe', '.com', '.cmd', '.bat', ''].map((ending) => name + ending) : [name];
  for (const folder of path.split(delimiter)) {
    for (const candidate of names) {
      const place = join(folder === '' ? '.' : folder, candidate);
      if (isProgram(place)) return place;
    }
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
