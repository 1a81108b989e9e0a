import { commandFile } from '../scripts/lib/command-file.mjs';

/** Bundles the command before the tests, so that not each of those that start it begins with that. */
export function setup(): void {
  commandFile();
}
