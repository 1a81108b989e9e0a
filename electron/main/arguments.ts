import { resolve } from 'node:path';

/** What a start asks for; a second start hands it to the instance that runs. */
export interface LaunchRequest extends Record<string, unknown> {
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** Reads the files behind `--` of the command line; Chromium's and Electron's own switches come before it. */
export function launchArguments(argv: readonly string[], cwd: string): LaunchRequest {
  const separator = argv.indexOf('--');
  const files = separator < 0 ? [] : argv.slice(separator + 1).map((file) => resolve(cwd, file));
  return { files };
}
