import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError, messageOf } from '../../errors.ts';
import { findPlugin } from '../../plugins/catalog.ts';
import { copyBundled } from './bundled-copy.ts';
import { scriptAbout } from '../common/script-about.ts';
import type { ScriptAbout, ScriptFile } from '../../api/types.ts';

const NAME = /^\w[\w.-]*\.(?:js|mjs|ts)$/;
const BUNDLED = /^\w[\w-]*$/;

/** A script that was written, and its text from before; null: it is new. */
export interface WrittenScript {
  readonly path: string;
  readonly before: string | null;
}

/** The scripts that the window may read and write: those of the workspace, and those that the user chose in a dialog. */
export class AllowedScripts {
  readonly folder: string;
  readonly #used: () => readonly string[];
  readonly #granted = new Set<string>();

  /**
   * @param folder of new scripts
   * @param used paths of the scripts that the workspace runs
   */
  constructor(folder: string, used: () => readonly string[]) {
    this.folder = folder;
    this.#used = used;
  }

  /** Allows a file that the user chose in a dialog. */
  grant(path: string): void {
    this.#granted.add(resolve(path));
  }

  /** @throws {EngineError} `script.foreign` */
  checkOwn(path: string): void {
    const own = isAbsolute(path) && /\.(?:js|mjs|ts)$/.test(path) && !path.endsWith('.d.ts');
    if (own && (this.#isInFolder(path) || this.#granted.has(resolve(path)) || this.#used().includes(path))) return;
    throw new EngineError('script.foreign', `${path} is no script of this workspace. Choose it with “Script file…” first.`);
  }

  /** @throws {EngineError} `script.foreign`, or when it cannot be read */
  about(path: string): ScriptAbout {
    this.checkOwn(path);
    return scriptAbout(findPlugin('filter', path), path);
  }

  /**
   * A script of the workspace, or a copy of a bundled one.
   * @throws {EngineError} `script.foreign`, `script.unreadable`
   */
  async read(kind: 'filter' | 'decoder', script: string): Promise<ScriptFile> {
    if (BUNDLED.test(script)) return this.#copy(kind, script);
    this.checkOwn(script);
    return { path: script, name: basename(script), text: await readText(script) };
  }

  /**
   * Writes a script, in one step.
   * @param path null: into the folder, under `name`
   * @throws {EngineError} `script.name`, `script.exists`, `script.foreign`, `script.unwritten`
   */
  async write(name: string, path: string | null, text: string): Promise<WrittenScript> {
    if (path !== null) this.checkOwn(path);
    else if (!NAME.test(name) || name.endsWith('.d.ts'))
      throw new EngineError('script.name', `${name} is no name for a script: give letters, digits and “_”, and .ts or .js at the end.`);
    const target = path ?? join(this.folder, name);
    if (path === null && existsSync(target))
      throw new EngineError('script.exists', `There is a script ${name} already. Choose another name.`);
    const before = path === null || !existsSync(path) ? null : await readText(path);
    await put(target, text);
    return { path: target, before };
  }

  async #copy(kind: 'filter' | 'decoder', name: string): Promise<ScriptFile> {
    const { path } = findPlugin(kind, name);
    try {
      return { path: null, name: `my_${name}.ts`, text: await copyBundled(path, this.folder) };
    } catch (error) {
      throw new EngineError('script.unreadable', `${name} cannot be copied: ${messageOf(error)}`, { cause: error });
    }
  }

  #isInFolder(path: string): boolean {
    const way = relative(this.folder, resolve(path));
    return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new EngineError('script.unreadable', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function put(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (error) {
    throw new EngineError('script.unwritten', `${path} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}
