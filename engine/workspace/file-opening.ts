import { basename, join, resolve } from 'node:path';
import { EngineError } from '../errors.ts';
import { STANDARD_INPUTS } from '../api/places.ts';
import type { Grants } from './common/grants.ts';
import type { Notices } from './common/notices.ts';
import type { ListedSources } from './listed-sources.ts';
import { locationsOf } from './sources/folder-logs.ts';
import type { InputFactory } from './sources/inputs.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { SourceOptions } from './sources/options.ts';
import { StoredInput } from './sources/stored-input.ts';
import { storedTableAt, type StoredTable } from './sources/stored-table.ts';

interface FileOpeningOptions {
  /** The folder of the workspace. */
  readonly folder: string;
  readonly inputs: InputFactory;
  readonly sources: OpenSources;
  readonly listed: ListedSources;
  readonly grants: Grants;
  readonly notices: Notices;
  /** Called for each source that was added. */
  readonly opened: () => void;
}

/** Opens the files that the user chose, the logs of folders and the tables of stores, as sources. */
export class FileOpening {
  readonly #options: FileOpeningOptions;

  constructor(options: FileOpeningOptions) {
    this.#options = options;
  }

  /**
   * Opens those that are not open. Returns the numbers of their sources in order.
   * @throws {EngineError} `file.ungranted` for one that nobody chose, `limit.reached`
   */
  async open(paths: readonly string[]): Promise<number[]> {
    const given = paths.map((path) => resolve(path));
    await this.#checkGranted(given);
    const locations = (await Promise.all(given.map((path) => this.#logsOf(path)))).flat();
    const tables = await Promise.all(locations.map(storedTableAt));
    return locations.map((location, i) => this.#sourceOf(location, tables[i] ?? null));
  }

  #sourceOf(location: string, table: StoredTable | null): number {
    const { sources, inputs, listed, opened, folder } = this.#options;
    const known = sources.find('file', location);
    if (known) return known.id;
    const label = basename(location);
    const input: SourceOptions['input'] = (split) => (table === null ? inputs.file(label, location, split) : new StoredInput(label, table));
    const origin = table === null ? { samples: [location] } : { stored: table };
    const source = sources.add({ kind: 'file', label, location, input, ...origin });
    void listed.ready.then(() => source.open(listed.chosenFor(location), listed.timeOffsetOf(location)));
    // A path that cannot be read, such as a folder, is left out at the next start.
    void source.opened.then(() => source.info().state === 'failed' && listed.forgetFile(location));
    if (!location.startsWith(join(resolve(folder), STANDARD_INPUTS))) listed.addFile(location);
    opened();
    return source.id;
  }

  /** The sources of a path: a folder has one for each of its logs. */
  async #logsOf(path: string): Promise<readonly string[]> {
    const { locations, left } = await locationsOf(path);
    const { notices } = this.#options;
    if (locations.length === 0) notices.say('warning', 'file.directory', `There is no log in ${path}, nor below it.`);
    else if (left > 0)
      notices.say('info', 'file.directory', `${left} files of ${path} were left out: binary ones, empty ones, or too many.`);
    return locations;
  }

  async #checkGranted(locations: readonly string[]): Promise<void> {
    const { grants, listed } = this.#options;
    if (locations.every((location) => grants.has('open', location))) return;
    // The files that the workspace file lists were opened in the window before.
    await listed.ready;
    const foreign = locations.find((location) => !grants.has('open', location) && !listed.remembers(location));
    if (foreign === undefined) return;
    throw new EngineError('file.ungranted', `Nobody chose ${foreign}. Open it with “Open files…”, or drop it on the window.`);
  }
}
