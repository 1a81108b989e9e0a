import { readFileSync } from 'node:fs';

/** The version of this build, from the package that it is part of. */
export function packageVersion(): string {
  try {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version?: string };
    return version ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
