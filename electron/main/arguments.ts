import { resolve } from 'node:path';

/** The name of standard input among files. */
export const STANDARD_INPUT = '-';

/** The request of a start; a second start hands it to the running instance. */
export interface LaunchRequest extends Record<string, unknown> {
  /** Absolute paths; `-` for standard input. */
  readonly files: readonly string[];
}

/**
 * Reads the files of a command line. A package is started with the files alone, as desktops do for "Open with"; in development
 * Electron's own arguments come first, and the files follow `--`. Switches of Chromium (`--no-sandbox`) are skipped.
 */
export function launchArguments(argv: readonly string[], cwd: string, packaged: boolean): LaunchRequest {
  const separator = argv.indexOf('--');
  const before = packaged
    ? argv.slice(1, separator < 0 ? undefined : separator).filter((argument) => argument === STANDARD_INPUT || !argument.startsWith('-'))
    : [];
  const behind = separator < 0 ? [] : argv.slice(separator + 1);
  return { files: [...before, ...behind].map((file) => (file === STANDARD_INPUT ? file : resolve(cwd, file))) };
}
