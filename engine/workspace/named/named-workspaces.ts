import { existsSync } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { FilePlace, OpenedPlace, RecordQuery, WindowPart, WorkspaceLook } from '../../api/types.ts';
import type { Demand } from '../../api/wire.ts';
import type { LoadedConfig } from '../../config/load.ts';
import { draftBeside } from '../common/draft.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { Serial } from '../../base/time/serial.ts';
import type { Consent } from '../common/consent.ts';
import type { Grants } from '../common/grants.ts';
import { isOnNetwork, lookForFiles } from '../common/moved-files.ts';
import type { Exports } from '../query/exports.ts';
import { FILE_PREFIX } from '../file/workspace-content.ts';
import { checkHighlighters } from '../marks/highlighters.ts';
import type { KeptMark } from '../marks/marks-file.ts';
import { openDemand } from '../sources/demands.ts';
import { isLogThere } from '../sources/stored-table.ts';
import { plural } from '../../incident/words.ts';
import { writeArchive } from './archive.ts';
import { SCRIPTS, type Manifest } from './manifest.ts';
import { nameBeside, packedSize, packWorkspace, type PackedRecords, type PackOptions } from './pack.ts';
import { packedScript } from './packed-script.ts';
import { checkSections, withNames } from './portable.ts';
import { decoderDemands, demandsOfSections, newScriptDemand, opening, startsOf } from './workspace-demands.ts';
import { packedBytes, readManifest, unpackRecords } from './unpack.ts';

export interface NamedWorkspacesOptions extends PackOptions {
  /** Of the window's data. */
  readonly folder: string;
  readonly exports: Exports;
  readonly grants: Grants;
  readonly consent: Consent;
  readonly open: (paths: readonly string[]) => Promise<unknown>;
  readonly close: (id: number) => Promise<void>;
  /** Tells something about a workspace that is open now. */
  readonly said: (text: string) => void;
  /** Called when the filters are those of the workspace. */
  readonly replaced: () => void;
}

/** Parts that are not in the workspace of an incident. */
const leftOutText = (name: string, { marks, leftOut }: Manifest): string =>
  `${name} has the records around ${plural(marks.length, 'mark')} of an incident alone: ${plural(leftOut, 'other record')} of its sources ${leftOut === 1 ? 'was' : 'were'} left out when it was written.`;

/** The steps of opening a workspace, planned and checked before the first of them is taken. */
interface Plan {
  readonly manifest: Manifest;
  readonly loaded: LoadedConfig;
  /** Scripts that are to be written, by the names that they get. */
  readonly scripts: ReadonlyMap<string, string>;
  /** The names of all of its scripts, as it calls them, on this machine. */
  readonly names: ReadonlyMap<string, string>;
  /** Folder of its files on this machine; null: there is none, or they are still to be unpacked. */
  readonly places: readonly (string | null)[];
  readonly demands: readonly Demand[];
}

/** Saves what is open into one file, and opens such files, which may come from anywhere. */
export class NamedWorkspaces {
  readonly #options: NamedWorkspacesOptions;
  readonly #turns = new Serial();
  /** Keeps what was open before a workspace was opened. */
  readonly #before: string;
  /** Has a folder for each workspace whose records were unpacked. */
  readonly #unpacked: string;

  constructor(options: NamedWorkspacesOptions) {
    this.#options = options;
    this.#before = join(options.folder, 'before.sluicebox');
    this.#unpacked = join(options.folder, 'unpacked');
  }

  /**
   * Begins to write what is open into a file. Returns the number of the export.
   * @throws {EngineError} `export.place`, `limit.reached`
   */
  save(path: string, records: PackedRecords, window: WindowPart): number {
    return this.#options.exports.begin(path, 'byte', () => async (target) => {
      await using packed = await packWorkspace(this.#options, records, window);
      target.expect(packedBytes(packed.manifest));
      await writeArchive(packed.manifest, packed.parts, target);
    });
  }

  /** Records that come along where a query selects them, and their bytes. */
  size(query: RecordQuery): Promise<{ records: number; bytes: number }> {
    return packedSize(this.#options, query);
  }

  /**
   * Tells what a workspace holds, and where its files are.
   * @param places of files that the user has pointed to
   * @throws {EngineError} `workspace.damaged`, `consent.refused`
   */
  async look(path: string, places: readonly FilePlace[]): Promise<WorkspaceLook> {
    const given = resolve(path);
    await this.#require(given);
    const manifest = await readManifest(given);
    const loaded = checkSections(manifest.sections, given, scriptNames(manifest));
    const own = manifest.files.filter(({ records }) => records === null).map(({ path: place }) => place);
    const chosen = places.filter(({ place }) => this.#options.grants.has('open', place));
    const looks = await lookForFiles(own, chosen, dirname(given), isLogThere);
    const found = new Map(looks.map((look) => [look.path, look]));
    return {
      path: given,
      name: workspaceName(given),
      savedAt: manifest.savedAt,
      files: manifest.files.map(({ path: place }) => found.get(place) ?? { path: place, state: 'packed', place: null }),
      packedBytes: packedBytes(manifest),
      scripts: manifest.scripts.map(({ name }) => name),
      starts: startsOf(loaded),
      filterScripts: loaded.config.filters.length,
      filters: filtersIn(manifest.window),
      marks: manifest.marks.length,
    };
  }

  /**
   * Opens a workspace in the place of what is open, once all of it is confirmed.
   * @param places of files that are elsewhere on this machine, by their paths in the workspace
   * @param window what the window would keep of what is open now
   * @throws {EngineError} `workspace.damaged`, `workspace.room`, `consent.refused`; nothing has changed then
   */
  open(
    path: string,
    places: ReadonlyMap<string, string>,
    window: WindowPart,
  ): Promise<{ name: string; window: WindowPart; files: OpenedPlace[] }> {
    return this.#turns.run(() => this.#open(resolve(path), places, window));
  }

  /** The file that keeps what was open before; null: nothing was opened yet. */
  before(): string | null {
    return existsSync(this.#before) ? this.#before : null;
  }

  async #open(
    path: string,
    elsewhere: ReadonlyMap<string, string>,
    window: WindowPart,
  ): Promise<{ name: string; window: WindowPart; files: OpenedPlace[] }> {
    await this.#require(path);
    const plan = await this.#plan(path, elsewhere);
    await this.#options.consent.require(plan.demands);
    const { manifest } = plan;
    const unpacked = await unpackRecords(path, manifest, this.#unpacked);
    const places = plan.places.map((place, i) => unpacked.places[i] ?? place);
    try {
      await this.#keepBefore(window);
    } catch (error) {
      if (unpacked.folder !== null) await rm(unpacked.folder, { recursive: true, force: true });
      throw error;
    }
    await this.#replaceBy(plan, places);
    await this.#forgetUnpacked();
    if (manifest.leftOut > 0) this.#options.said(leftOutText(workspaceName(path), manifest));
    const files = manifest.files.map((file, i) => ({ path: file.path, place: places[i] ?? null }));
    return { name: path === this.#before ? '' : workspaceName(path), window: manifest.window, files };
  }

  /** @throws {EngineError} `workspace.damaged` */
  async #plan(path: string, elsewhere: ReadonlyMap<string, string>): Promise<Plan> {
    const { grants, listed, scripts: folder } = this.#options;
    const manifest = await readManifest(path);
    const loaded = checkSections(manifest.sections, path, scriptNames(manifest));
    checkHighlighters(manifest.highlighters);
    const names = new Map<string, string>();
    const scripts = new Map<string, string>();
    for (const { name, text } of manifest.scripts) {
      const { own, isNew } = await nameHere(name, text, (candidate) => (scripts.has(candidate) ? null : join(folder, candidate)));
      names.set(name, own);
      if (isNew) scripts.set(own, text);
    }
    const places = await Promise.all(
      manifest.files.map(async ({ path: place, records }) => {
        if (records !== null) return null;
        const pointed = elsewhere.get(place);
        if (pointed === undefined && isOnNetwork(place)) return null;
        const chosen = resolve(pointed ?? place);
        return (await isLogThere(chosen)) ? chosen : null;
      }),
    );
    const unopened = places.filter((place) => place !== null && !grants.has('open', place) && !listed.remembers(place));
    const demands = [
      ...[...scripts].map(([name, text]) => newScriptDemand(name, text)),
      ...demandsOfSections(loaded),
      ...decoderDemands(manifest),
      ...unopened.map((place) => opening(place as string)),
    ];
    return { manifest, loaded, scripts, names, places, demands };
  }

  /** Saves what is open, so that one can go back to it. */
  async #keepBefore(window: WindowPart): Promise<void> {
    const draft = draftBeside(this.#before);
    try {
      await using packed = await packWorkspace(this.#options, false, window);
      const file = await open(draft, 'wx', 0o600);
      try {
        const write = async (data: string | Uint8Array): Promise<void> => file.appendFile(data);
        await writeArchive(packed.manifest, packed.parts, { signal: new AbortController().signal, write, expect: () => undefined });
      } finally {
        await file.close();
      }
      await rename(draft, this.#before);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #replaceBy({ manifest, loaded, scripts, names }: Plan, places: readonly (string | null)[]): Promise<void> {
    const { sources, close, listed, annotations, grants, scripts: folder, replaced } = this.#options;
    for (const { id } of sources.all()) if (sources.has(id)) await close(id);
    await makeFolder(folder, 0o700);
    for (const [name, text] of scripts) await replaceFile(join(folder, name), text);
    const found = manifest.files.flatMap((file, i) => {
      const place = places[i] ?? null;
      return place === null ? [] : [{ ...file, place }];
    });
    const inputs = new Map(found.map(({ section, place }) => [section, FILE_PREFIX + place] as const));
    await listed.replace(withNames(manifest.sections, loaded, { scripts: names, inputs }));
    replaced();
    annotations.setHighlighters(manifest.highlighters);
    annotations.setFilterSets(manifest.filterSets);
    annotations.setRecordGraphs(manifest.recordGraphs);
    annotations.setIncident(manifest.incident);
    const placeOf = new Map(manifest.files.map(({ path }, i) => [path, places[i] ?? path] as const));
    // Those of other unpacked records are in their workspaces.
    annotations.marks.forget((location) => location.startsWith(this.#unpacked + sep));
    annotations.marks.adopt(manifest.marks.map((mark): KeptMark => ({ ...mark, location: placeOf.get(mark.location) ?? mark.location })));
    for (const { place, decoder, timeOffset } of found) {
      const name = decoder === null ? '' : pathOf(decoder.name, folder, names);
      listed.chooseFor(place, decoder === null ? null : { ...decoder, name, by: 'user', confidence: 1 }, timeOffset);
      grants.add('open', place);
    }
    await this.#options.open(found.map(({ place }) => place));
  }

  /** Removes the records of workspaces that are neither open nor the one before. */
  async #forgetUnpacked(): Promise<void> {
    const { files } = await readManifest(this.#before);
    const used = [...files.map(({ path }) => path), ...this.#options.sources.all().map(({ location }) => location)];
    for (const name of await readdir(this.#unpacked).catch(() => [])) {
      const folder = join(this.#unpacked, name);
      if (!used.some((path) => path.startsWith(folder + sep))) await rm(folder, { recursive: true, force: true });
    }
  }

  /** @throws {EngineError} `consent.refused` for a path that nobody chose */
  async #require(path: string): Promise<void> {
    const { grants, consent } = this.#options;
    if (path !== this.#before && !grants.has('workspace', path)) await consent.require([openDemand(path)]);
  }
}

const scriptNames = ({ scripts }: Manifest): ReadonlySet<string> => new Set(scripts.map(({ name }) => name));

/**
 * The name under which a script is on this machine, or will be.
 * @param placeOf the place of a name; null: it is taken
 */
async function nameHere(name: string, text: string, placeOf: (name: string) => string | null): Promise<{ own: string; isNew: boolean }> {
  for (let taken = 0; ; taken++) {
    const own = nameBeside(name, taken);
    const place = placeOf(own);
    if (place === null) continue;
    if (!existsSync(place)) return { own, isNew: true };
    if ((await packedScript(place).catch(() => null)) === text) return { own, isNew: false };
  }
}

/** A decoder as it is called on this machine. */
const pathOf = (decoder: string, folder: string, names: ReadonlyMap<string, string>): string =>
  decoder.startsWith(SCRIPTS) ? join(folder, names.get(decoder.slice(SCRIPTS.length)) ?? basename(decoder)) : decoder;

/** The name of a workspace: that of its file. */
const workspaceName = (path: string): string => basename(path).replace(/\.sluicebox$/i, '');

/** The number of filters that hide rows in the window that was saved: a file from anywhere may say anything there. */
function filtersIn(window: Manifest['window']): number {
  const session = objectOf(window['session']);
  const { stack } = objectOf(session['filter']);
  return Array.isArray(stack) ? stack.length : 0;
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
