import { existsSync } from 'node:fs';

/** Closes all descriptors above the first argument, then becomes the command of the others. */
const SCRIPT = 'for path in /proc/self/fd/*; do fd=${path##*/}; ((fd > $1)) && exec {fd}>&-; done; shift; exec "$@"';
const SHELLS = ['/bin/bash', '/usr/bin/bash'];

/**
 * A command line that starts a program with the descriptors up to `highest` alone. Electron marks hardly any of its own as not to be inherited, and on
 * Linux Node hands on what is not marked: files of the profile, and sockets between Electron's processes. A shell closes them (2 to 4 ms); without
 * bash the program inherits them.
 */
export function cleanStart(highest: number, file: string, args: readonly string[]): { readonly file: string; readonly args: string[] } {
  const shell = process.platform === 'linux' ? SHELLS.find((path) => existsSync(path)) : undefined;
  if (shell === undefined) return { file, args: [...args] };
  return { file: shell, args: ['-p', '-c', SCRIPT, 'bash', String(highest), file, ...args] };
}
