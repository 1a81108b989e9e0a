import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { readText } from '../../base/files/regular-file.ts';
import { makeFolder } from '../../base/files/folders.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { bundledNames, findPlugin } from '../../plugins/catalog.ts';
import { isReallyBelow } from '../../base/files/real-place.ts';
import { replaceFile } from '../../base/files/replace-file.ts';
import { hint } from '../../base/text/suggest.ts';
import type { Grants } from '../common/grants.ts';
import { LIMITS, tooMany } from '../common/limits.ts';
import { copyBundled } from './bundled-copy.ts';
import { MAX_SCRIPT_BYTES } from '../../sandbox/code/script-files.ts';
import { scriptAbout } from '../common/script-about.ts';
import type { ScriptAbout, ScriptFile } from '../../api/types.ts';

const NAME = /^\w[\w.-]*\.(?:js|mjs|ts)$/;

/** A script that was written, and its text from before; null: it is new. */
export interface WrittenScript {
  readonly path: string;
  readonly before: string | null;
}

/**
 * The scripts that the window may use: those of the workspace's folder, those that the workspace file names, and those that the user chose in a
 * dialog. It writes only into the folder.
 */
export class AllowedScripts {
  readonly folder: string;
  readonly #grants: Grants;
  readonly #used: () => readonly string[];

  /**
   * @param folder of new scripts
   * @param used paths of the scripts that the workspace runs
   */
  constructor(folder: string, grants: Grants, used: () => readonly string[]) {
    this.folder = folder;
    this.#grants = grants;
    this.#used = used;
  }

  /** @throws {EngineError} `script.foreign` */
  checkOwn(path: string): void {
    const own = isAbsolute(path) && path === resolve(path) && /\.(?:js|mjs|ts)$/.test(path) && !path.endsWith('.d.ts');
    if (own && (isReallyBelow(path, this.folder) || this.#grants.has('script', path) || this.#used().includes(path))) return;
    throw new EngineError('script.foreign', `${path} is not a script of this workspace. Choose it with “Script file…” first.`);
  }

  /**
   * Checks the name of a bundled script, or the path of one of the workspace.
   * @throws {EngineError} `script.foreign`, `plugin.unknown`
   */
  checkReference(kind: 'filter' | 'decoder', script: string): void {
    if (isAbsolute(script)) this.checkOwn(script);
    else this.checkBundled(kind, script);
  }

  /** @throws {EngineError} `plugin.unknown` */
  checkBundled(kind: 'filter' | 'decoder', script: string): void {
    const names = bundledNames(kind);
    if (!names.includes(script))
      throw new EngineError('plugin.unknown', `There is no bundled ${kind} ${script}${hint(script, names) || '.'}`);
  }

  /** @throws {EngineError} `script.foreign`, or when it cannot be read */
  async about(path: string): Promise<ScriptAbout> {
    this.checkOwn(path);
    return scriptAbout(findPlugin('filter', path), path, await textOf(path));
  }

  /**
   * A script of the workspace, or a copy of a bundled one.
   * @throws {EngineError} `script.foreign`, `script.unreadable`
   */
  async read(kind: 'filter' | 'decoder', script: string): Promise<ScriptFile> {
    this.checkReference(kind, script);
    if (!isAbsolute(script)) return this.#copy(kind, script);
    return { path: script, name: basename(script), text: await textOf(script) };
  }

  /**
   * Writes a script into the folder, in one step.
   * @param path null: a new one, under `name`
   * @throws {EngineError} `script.name`, `script.exists`, `script.foreign`, `script.place`, `limit.reached`, `script.unwritten`
   */
  async write(name: string, path: string | null, text: string): Promise<WrittenScript> {
    const target = path === null ? this.#newPlace(name) : this.#placeOf(path);
    const before = existsSync(target) ? await textOf(target) : null;
    if (before === null && (await this.#count()) >= LIMITS.scripts) throw tooMany('scripts', `Remove some of ${this.folder}.`);
    await put(target, text);
    return { path: target, before };
  }

  /** @throws {EngineError} `script.name`, `script.exists` */
  #newPlace(name: string): string {
    if (!NAME.test(name) || name.endsWith('.d.ts'))
      throw new EngineError(
        'script.name',
        `${name} cannot be the name of a script: give letters, digits and “_”, and .ts or .js at the end.`,
      );
    const place = join(this.folder, name);
    if (existsSync(place)) throw new EngineError('script.exists', `There is a script ${name} already. Choose another name.`);
    return place;
  }

  /** @throws {EngineError} `script.foreign`, `script.place` */
  #placeOf(path: string): string {
    this.checkOwn(path);
    if (isReallyBelow(path, this.folder)) return resolve(path);
    throw new EngineError('script.place', `The window writes scripts only into ${this.folder}, and ${path} is elsewhere. Use “Save as…”.`);
  }

  async #count(): Promise<number> {
    return (await readdir(this.folder).catch(() => [])).length;
  }

  async #copy(kind: 'filter' | 'decoder', name: string): Promise<ScriptFile> {
    const { path } = findPlugin(kind, name);
    try {
      return { path: null, name: `my_${name}.ts`, text: await copyBundled(path, this.folder) };
    } catch (error) {
      throw new EngineError('script.unreadable', `${name} cannot be copied: ${messageOf(error)}`, { cause: error });
    }
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readText(path, MAX_SCRIPT_BYTES);
  } catch (error) {
    throw new EngineError('script.unreadable', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function put(path: string, text: string): Promise<void> {
  try {
    await makeFolder(dirname(path), 0o700);
    await replaceFile(path, text);
  } catch (error) {
    throw new EngineError('script.unwritten', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
