import { chmod, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../../base/files/regular-file.ts';
import { makeFolder } from '../../base/files/folders.ts';

/** Makes a text usable in a file name: other characters than letters, digits and underscores become underscores. */
const nameOf = (text: string): string => text.replaceAll(/\W/g, '_');

/** The name under which a manager runs the filter of a section. */
export const fullName = (manager: string, section: string): string => `${nameOf(manager)}-${nameOf(section)}`;

/** Longest full name of a filter. File systems allow 255 bytes, and its files add endings. */
const MAX_NAME = 240;

/** Tells whether a full name is too long for files. */
export const isTooLong = (name: string): boolean => name.length > MAX_NAME;

/** File mode: readable and writable only by the service's user. */
const MODE = 0o600;

/** Bytes of a configuration that is read. */
const MOST_BYTES = 8 << 20;

/** The folder in which a manager keeps the files of its filters: `<full name>.toml` and `<full name>.js`. */
export class ManagedFiles {
  readonly #folder: string;
  readonly #prefix: string;

  constructor(folder: string, manager: string) {
    this.#folder = folder;
    this.#prefix = `${nameOf(manager)}-`;
  }

  /** Makes the folder when it is missing, accessible only to the service's user. */
  async open(): Promise<void> {
    await makeFolder(this.#folder, 0o700);
  }

  script(name: string): string {
    return join(this.#folder, `${name}.js`);
  }

  config(name: string): string {
    return join(this.#folder, `${name}.toml`);
  }

  /** Returns the full names of the kept filters, sorted. */
  async names(): Promise<string[]> {
    const files = await readdir(this.#folder);
    return files
      .filter((file) => file.startsWith(this.#prefix) && file.endsWith('.toml'))
      .map((file) => file.slice(0, -'.toml'.length))
      .sort();
  }

  readConfig(name: string): Promise<string> {
    return readText(this.config(name), MOST_BYTES);
  }

  /** Writes the files of a filter. The configuration comes last, since the next start looks for it. */
  async write(name: string, config: string, script: string): Promise<void> {
    await writePrivate(this.script(name), script);
    await writePrivate(this.config(name), config);
  }

  async remove(name: string): Promise<void> {
    await Promise.all([rm(this.config(name), { force: true }), rm(this.script(name), { force: true })]);
  }
}

/** Replaces a file by one that only the service's user may access. */
async function writePrivate(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode: MODE, flag: 'wx' });
  await chmod(path, MODE);
}
