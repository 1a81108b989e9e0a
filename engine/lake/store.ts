import { lstatSync, rmSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredTable } from '../ask/tables.ts';
import { EngineError, errorCode, messageOf } from '../base/errors.ts';
import { makeFolder } from '../base/files/folders.ts';
import type { NamedColumn } from '../parquet/column-names.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { checkBeforeOpening, PAGE_BYTES } from './database-file.ts';
import { damageOf } from './file-end.ts';
import { Manifest, MANIFEST, type FileChange, type ListedFile, type ManifestFile, type StoredSource } from './manifest.ts';

/** Folder of the Parquet files within a store. */
const FILES = 'files';
/** Folder for those that are damaged. */
const BROKEN = 'broken';
/** File that a process which writes keeps locked. */
const LOCK = 'writer.lock';
/** Result code of SQLite for a lock that another process holds. */
const BUSY = 5;

/** Tells of a file that is not in the answers any more. */
export interface BrokenFile {
  readonly name: string;
  readonly table: string;
  readonly rows: number;
  readonly reason: string;
}

/** A folder of Parquet files, and the sources that they were made of. */
export class Store implements Disposable {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Files that were found damaged when it was opened. */
  readonly broken: readonly BrokenFile[];
  /** Milliseconds that a file stays which is not listed any more: a query that began before may read it. */
  graceMs = 0;
  /** With the times of `performance.now` up to which they stay. */
  readonly #replaced: { readonly name: string; readonly until: number }[] = [];
  readonly #unlock: () => void;

  private constructor(folder: string, manifest: Manifest, broken: readonly BrokenFile[], unlock: () => void) {
    this.folder = folder;
    this.manifest = manifest;
    this.broken = broken;
    this.#unlock = unlock;
  }

  /** Opens a store to ask it. Damaged files are left where they are. @param patienceMs see `Manifest.open` @throws {EngineError} */
  static toRead(folder: string, patienceMs?: number): Store {
    checkFolders(folder);
    const manifest = Manifest.open(folder, { create: false, ...(patienceMs === undefined ? {} : { patienceMs }) });
    try {
      const broken = damaged(folder, manifest.files());
      // A file that another process has replaced meanwhile is not damaged.
      const listed = new Set(broken.length === 0 ? [] : manifest.files().map(({ name }) => name));
      return new Store(
        folder,
        manifest,
        broken.filter(({ name }) => listed.has(name)),
        () => undefined,
      );
    } catch (error) {
      manifest[Symbol.dispose]();
      throw error;
    }
  }

  /**
   * Opens a store to change it; nobody else does meanwhile. Drafts and files that a process which was killed had not entered are removed; damaged files are
   * set aside, and their sources read anew at the next import.
   * @throws {EngineError} `store.busy`, `store.unwritable`, `store.missing`
   */
  static async toWrite(folder: string, { create }: { readonly create: boolean }): Promise<Store> {
    checkFolders(folder);
    if (!create && (await stat(join(folder, MANIFEST)).catch(() => null)) === null) Manifest.open(folder, { create });
    try {
      await makeFolder(join(folder, FILES), 0o700);
    } catch (error) {
      const text = ['EEXIST', 'ENOTDIR'].includes(errorCode(error))
        ? `${folder} cannot be a store: it, or a part of its path, is a file. Name a folder`
        : unwritable(folder, error);
      throw new EngineError('store.unwritable', text, { cause: error });
    }
    const unlock = lock(folder);
    let manifest: Manifest | null = null;
    try {
      manifest = Manifest.open(folder, { create });
      const broken = damaged(folder, manifest.files());
      await setAside(folder, manifest, broken);
      await removeUnlisted(folder, manifest);
      return new Store(folder, manifest, broken, unlock);
    } catch (error) {
      manifest?.[Symbol.dispose]();
      unlock();
      if (error instanceof EngineError) throw error;
      throw new EngineError('store.unwritable', unwritable(folder, error), { cause: error });
    }
  }

  /** The folder in which files are written. */
  get filesFolder(): string {
    return join(this.folder, FILES);
  }

  /** The files that are not damaged. */
  get files(): ListedFile[] {
    const bad = new Set(this.broken.map(({ name }) => name));
    return this.manifest.files().filter(({ name }) => !bad.has(name));
  }

  path(name: string): Promise<string> {
    return Promise.resolve(join(this.filesFolder, name));
  }

  /** The tables, with the paths of their files; those without files are left out. */
  tables(): StoredTable[] {
    const tables = new Map<string, { name: string; files: StoredTable['files'][number][] }>();
    for (const { name, table, layout, unused } of this.files) {
      const found = tables.get(table.toLowerCase()) ?? { name: table, files: [] };
      tables.set(table.toLowerCase(), found);
      found.files.push({ path: join(this.filesFolder, name), layout, unused });
    }
    return [...tables.values()];
  }

  /** The names that the columns of a table have. */
  columnsOf(table: string): NamedColumn[] {
    return this.manifest
      .files()
      .filter((file) => file.table.toLowerCase() === table.toLowerCase())
      .flatMap(({ layout }) => [...layout.columns, ...layout.more]);
  }

  /** Enters what became of a source, then removes the files that are replaced. @returns its number */
  async commit(source: Omit<StoredSource, 'id' | 'damaged'>, id: number | null, change: FileChange): Promise<number> {
    const kept = this.manifest.commit(source, id, change);
    await this.#remove(change.removed);
    return kept;
  }

  /** Enters a file in the place of neighbours that have the same messages, then removes these. */
  async replace(names: readonly string[], by: readonly ManifestFile[]): Promise<void> {
    this.manifest.replaceFiles(names, by);
    await this.#remove(names);
  }

  /** Removes a source with its files. */
  async remove(source: StoredSource): Promise<void> {
    const names = this.filesOf(source.id).map(({ name }) => name);
    this.manifest.removeSource(source.id);
    await this.#remove(names);
  }

  /** Removes files; what they held is not read again while their source only grows. */
  async removeFiles(names: readonly string[]): Promise<void> {
    this.manifest.removeFiles(names, { damaged: false });
    await this.#remove(names);
  }

  [Symbol.dispose](): void {
    for (const { name } of this.#replaced) rmSync(join(this.filesFolder, name), { force: true });
    this.manifest[Symbol.dispose]();
    this.#unlock();
  }

  /** The files of a source, in the order of its text. */
  filesOf(source: number): ListedFile[] {
    return this.manifest.files().filter((file) => file.source === source);
  }

  /** Removes files that are not listed any more; with a grace, when it is over. What cannot be removed is removed when the store is opened again. */
  async #remove(names: readonly string[]): Promise<void> {
    const now = performance.now();
    for (const name of names) this.#replaced.push({ name, until: now + this.graceMs });
    const left = this.#replaced.filter(({ until }) => until > now);
    for (const { name } of this.#replaced.splice(0, this.#replaced.length - left.length)) {
      await rm(join(this.filesFolder, name), { force: true }).catch(() => undefined);
    }
  }
}

/** Checks that the folders of a store are its own: what is written, moved or removed in them would be elsewhere. @throws {EngineError} `store.unreadable` */
function checkFolders(folder: string): void {
  for (const path of [join(folder, FILES), join(folder, BROKEN)])
    if (isLink(path))
      throw new EngineError('store.unreadable', `${path} is a link, which could lead anywhere: put the folder itself in its place`);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // A file that cannot be looked at is opened next, and that error says why.
    return false;
  }
}

function damaged(folder: string, files: readonly ListedFile[]): BrokenFile[] {
  const broken: BrokenFile[] = [];
  for (const file of files) {
    const reason = damageOf(join(folder, FILES, file.name), file);
    if (reason !== null) broken.push({ name: file.name, table: file.table, rows: file.rows, reason });
  }
  return broken;
}

async function setAside(folder: string, manifest: Manifest, broken: readonly BrokenFile[]): Promise<void> {
  if (broken.length === 0) return;
  await makeFolder(join(folder, BROKEN), 0o700);
  manifest.removeFiles(
    broken.map(({ name }) => name),
    { damaged: true },
  );
  for (const { name } of broken) await rename(join(folder, FILES, name), join(folder, BROKEN, name)).catch(() => undefined);
}

/** Names of files that were written here, and of their drafts. */
const OWN_NAME = /^(?:\.(?:[\da-f]{8}-)?)?\d{4}-\d{2}-\d{2}T\d{6}Z-[\da-f]{12}\.parquet(?:(?:\.[\da-f]{8}-\d+)?\.part)?$/;

/** Removes drafts and files that are not listed. When the list is new, the files have lost theirs, and are set aside. */
async function removeUnlisted(folder: string, manifest: Manifest): Promise<void> {
  const listed = new Set(manifest.files().map(({ name }) => name));
  for (const name of await readdir(join(folder, FILES))) {
    if (listed.has(name) || !OWN_NAME.test(name)) continue;
    if (manifest.isNew && name.endsWith('.parquet')) {
      await makeFolder(join(folder, BROKEN), 0o700);
      await rename(join(folder, FILES, name), join(folder, BROKEN, name));
    } else await rm(join(folder, FILES, name), { force: true });
  }
}

/** Takes a lock of the operating system through SQLite, which ends with the process in every case. */
function lock(folder: string): () => void {
  let database: DatabaseSync | null = null;
  try {
    const path = join(folder, LOCK);
    // Of one page, with nothing in it. It is not opened by others than SQLite, as that would end a lock of this process.
    checkBeforeOpening(path, PAGE_BYTES);
    database = new DatabaseSync(path, { timeout: 250 });
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1; COMMIT');
    const held = database;
    return () => held.close();
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY)
      throw new EngineError('store.busy', `another process writes to the store ${folder}; wait for its end`, { cause: error });
    const text = `${folder} cannot be written (${messageOf(error)}): the folder and what is in it must be writable for this user`;
    throw new EngineError('store.unwritable', text, { cause: error });
  }
}
