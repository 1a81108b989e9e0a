import { resolve } from 'node:path';

/** The name of standard input among files. */
export const STANDARD_INPUT = '-';

/** The request of a start; a second start hands it to the running instance. */
export interface LaunchRequest extends Record<string, unknown> {
  /** Absolute paths; `-` for standard input. */
  readonly files: readonly string[];
  /** The record to show: the last one that was named, as `access.log#120`. */
  readonly at?: { readonly path: string; readonly number: number };
}

const RECORD = /^(.+)#(\d{1,15})$/s;

/**
 * Reads the files of a command line. A package is started with the files alone, as desktops do for "Open with"; in development
 * Electron's own arguments come first, and the files follow `--`. Switches of Chromium (`--no-sandbox`) are skipped.
 * @param isThere tells whether there is a file: one whose name ends like the name of a record is a file
 */
export function launchArguments(
  argv: readonly string[],
  cwd: string,
  packaged: boolean,
  isThere: (path: string) => boolean,
): LaunchRequest {
  const separator = argv.indexOf('--');
  const before = packaged
    ? argv.slice(1, separator < 0 ? undefined : separator).filter((argument) => argument === STANDARD_INPUT || !argument.startsWith('-'))
    : [];
  const behind = separator < 0 ? [] : argv.slice(separator + 1);
  let at: LaunchRequest['at'];
  const files = [...before, ...behind].map((given) => {
    if (given === STANDARD_INPUT) return given;
    const file = resolve(cwd, given);
    const [, path, number] = RECORD.exec(file) ?? [];
    if (path === undefined || Number(number) === 0 || isThere(file) || !isThere(path)) return file;
    at = { path, number: Number(number) };
    return path;
  });
  return { files: [...new Set(files)], ...(at === undefined ? {} : { at }) };
}
