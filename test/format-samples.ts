import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FOLDER = resolve(import.meta.dirname, 'fixtures', 'formats');
const SECTION = /^==> (?=[^\n]*\n(?:[a-z]+:[^\n]*\n)+--\n)/m;

/** The beginning of a log, and what is expected of its records. */
export interface FormatSample {
  readonly title: string;
  readonly text: string;
  readonly expected: Readonly<Record<string, string>>;
}

/** Files of samples, of several hundred formats. */
export const SAMPLE_FILES: readonly string[] = readdirSync(FOLDER);

/**
 * Samples of a file of `test/fixtures/formats`: each begins with `==> ` and its title; lines of what is expected follow up to `--`, then the sample
 * itself.
 */
export function samplesOf(file: string): FormatSample[] {
  const [, ...sections] = readFileSync(resolve(FOLDER, file), 'utf8').split(SECTION);
  return sections.map((section) => {
    const at = section.indexOf('\n--\n');
    const [title = '', ...keys] = section.slice(0, at).split('\n');
    return { title, text: section.slice(at + 4), expected: Object.fromEntries(keys.map((key) => key.split(/: ?(.*)/s, 2))) };
  });
}
