import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What may stand in a name of a file: everything else is an underscore. */
const nameOf = (text: string): string => text.replaceAll(/\W/g, '_');

/** The name under which a manager runs the filter of a section. */
export const fullName = (manager: string, section: string): string => `${nameOf(manager)}-${nameOf(section)}`;

/** File systems take names of 255 bytes; the state of a filter has a longer ending than its script. */
const MAX_NAME = 240;

/** Whether there can be no files of a filter of this full name. */
export const isTooLong = (name: string): boolean => name.length > MAX_NAME;

/** Only the service itself reads what was sent to it. */
const MODE = 0o600;

/** The folder in which a manager keeps its filters: `<full name>.toml` and `<full name>.js` of each. */
export class ManagedFiles {
  readonly #folder: string;
  readonly #prefix: string;

  constructor(folder: string, manager: string) {
    this.#folder = folder;
    this.#prefix = `${nameOf(manager)}-`;
  }

  /** Makes the folder when it is missing, for nobody else to read. */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  script(name: string): string {
    return join(this.#folder, `${name}.js`);
  }

  config(name: string): string {
    return join(this.#folder, `${name}.toml`);
  }

  /** Full names of the filters that are kept, sorted. */
  async names(): Promise<string[]> {
    const files = await readdir(this.#folder);
    return files
      .filter((file) => file.startsWith(this.#prefix) && file.endsWith('.toml'))
      .map((file) => file.slice(0, -'.toml'.length))
      .sort();
  }

  readConfig(name: string): Promise<string> {
    return readFile(this.config(name), 'utf8');
  }

  /** The configuration is what the next start looks for, so it comes last. */
  async write(name: string, config: string, script: string): Promise<void> {
    await writePrivate(this.script(name), script);
    await writePrivate(this.config(name), config);
  }

  async remove(name: string): Promise<void> {
    await Promise.all([rm(this.config(name), { force: true }), rm(this.script(name), { force: true })]);
  }
}

/** Replaces what is there, with its rights. */
async function writePrivate(path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, text, { mode: MODE, flag: 'wx' });
  await chmod(path, MODE);
}
