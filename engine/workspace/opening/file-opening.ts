import { basename, join, resolve } from 'node:path';
import { EngineError } from '../../base/errors.ts';
import { STANDARD_INPUTS } from '../../api/places.ts';
import type { FileLook, FilePlace } from '../../api/workspace-types.ts';
import type { Consent } from '../common/consent.ts';
import type { Grants } from '../common/grants.ts';
import { lookForFiles } from '../common/moved-files.ts';
import type { Notices } from '../common/notices.ts';
import { memberAt } from '../../inputs/archive/archive.ts';
import { leftOutText } from '../../inputs/archive/left-out.ts';
import type { ListedSources } from './listed-sources.ts';
import { openDemand } from '../sources/demands.ts';
import { locationsOf } from '../sources/folder-logs.ts';
import { MemberInput } from '../sources/member-input.ts';
import type { InputFactory } from '../sources/inputs.ts';
import type { OpenSources } from '../sources/open-sources.ts';
import type { SourceOptions } from '../sources/options.ts';
import { StoredInput } from '../sources/stored-input.ts';
import { isLogThere, storedTableAt, type StoredTable } from '../sources/stored-table.ts';

interface FileOpeningOptions {
  /** The folder of the workspace. */
  readonly folder: string;
  readonly inputs: InputFactory;
  readonly sources: OpenSources;
  readonly listed: ListedSources;
  readonly grants: Grants;
  readonly consent: Consent;
  readonly notices: Notices;
  /** Called for each file that is opened in another place than before. */
  readonly moved: (file: FilePlace) => void;
  /** Called once for all sources that were added. */
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
   * @param moved files that were open in another place before; what nobody chose of them has to be confirmed
   * @throws {EngineError} `file.ungranted` for one that nobody chose, `consent.refused`, `limit.reached`
   */
  async open(paths: readonly string[], moved: readonly FilePlace[]): Promise<number[]> {
    if (moved.length > 0) await this.#takeAlong(moved);
    const given = paths.map((path) => resolve(path));
    await this.#checkGranted(given);
    const locations = (await Promise.all(given.map((path) => this.#logsOf(path)))).flat();
    const tables = await Promise.all(locations.map(storedTableAt));
    const members = await Promise.all(locations.map((location) => memberAt(location).catch(() => null)));
    try {
      return locations.map((location, i) => this.#sourceOf(location, tables[i] ?? null, (members[i] ?? null) !== null));
    } finally {
      this.#options.opened();
    }
  }

  /** Tells where files are that were open before. Of others it tells nothing. */
  async whereabouts(paths: readonly string[], places: readonly FilePlace[]): Promise<FileLook[]> {
    await this.#options.listed.ready;
    const chosen = places.filter(({ place }) => this.#options.grants.has('open', place));
    const known = new Set(paths.filter((path) => this.#isChosen(path) || chosen.some((one) => one.path === path)));
    const looks = await lookForFiles([...known], chosen, null, isLogThere);
    const found = new Map(looks.map((look) => [look.path, look]));
    return paths.map((path) => found.get(path) ?? { path, state: 'missing', place: null });
  }

  /** Gives files the decoders, time offsets and marks that they had in their old places. */
  async #takeAlong(moved: readonly FilePlace[]): Promise<void> {
    const { listed, consent, grants } = this.#options;
    await listed.ready;
    await consent.require(moved.filter(({ place }) => !this.#isChosen(place)).map(({ place }) => openDemand(place)));
    for (const file of moved) {
      grants.add('open', file.place);
      listed.chooseFor(file.place, listed.chosenFor(file.path), listed.timeOffsetOf(file.path));
      this.#options.moved(file);
    }
  }

  /** @param isMember it is in an archive */
  #sourceOf(location: string, table: StoredTable | null, isMember: boolean): number {
    const { sources, inputs, listed, folder } = this.#options;
    const known = sources.find('file', location);
    if (known) return known.id;
    const label = basename(location);
    const input: SourceOptions['input'] = (split) => {
      if (table !== null) return new StoredInput(label, table);
      return isMember ? new MemberInput(label, location, split) : inputs.file(label, location, split);
    };
    const origin = table === null ? { samples: [location] } : { stored: table };
    const source = sources.add({ kind: 'file', label, location, input, ...origin });
    void listed.ready.then(() => source.open(listed.chosenFor(location), listed.timeOffsetOf(location)));
    // A path that cannot be read, such as a folder, is left out at the next start.
    void source.opened.then(() => source.info().state === 'failed' && listed.forgetFile(location));
    if (!location.startsWith(join(resolve(folder), STANDARD_INPUTS))) listed.addFile(location);
    return source.id;
  }

  /** The sources of a path: a folder has one for each of its logs. */
  async #logsOf(path: string): Promise<readonly string[]> {
    const { notices, sources } = this.#options;
    const { locations, leftOut, next } = await locationsOf(path, sources.places());
    if (locations.length === 0) notices.say('warning', 'folder.no-logs', `There is no log in ${path}, nor below it.`);
    const text = leftOutText(path, leftOut);
    const about = next === undefined ? null : { rest: { path, logs: next } };
    if (text !== null) notices.say(leftOut.some(({ isLoss }) => isLoss) ? 'warning' : 'info', 'folder.left-out', text, about);
    return locations;
  }

  #isChosen(location: string): boolean {
    const { grants, listed } = this.#options;
    return grants.has('open', location) || listed.remembers(location);
  }

  async #checkGranted(locations: readonly string[]): Promise<void> {
    const { grants, listed } = this.#options;
    if (locations.every((location) => grants.has('open', location))) return;
    // The files that the workspace file lists were opened in the window before.
    await listed.ready;
    const foreign = locations.find((location) => !this.#isChosen(location));
    if (foreign === undefined) return;
    throw new EngineError('file.ungranted', `Nobody chose ${foreign}. Open it with “Open files…”, or drop it on the window.`);
  }
}
