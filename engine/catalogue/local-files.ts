import { readdir, rm, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { EngineError, errorCode, messageOf } from '../base/errors.ts';
import { readRegularFile } from '../base/files/regular-file.ts';
import { unwritable } from '../base/files/unwritable.ts';
import { createWhole, removeDrafts, type Modes } from '../parquet/write-whole.ts';
import { MOST_FILE_BYTES, type LakeFiles } from './lake-files.ts';

/** Codes of a place that is no folder. */
const NO_FOLDER: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
/** Codes of systems on which a file cannot have a second name. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A lake in a folder, also one that many machines mount. */
export class LocalFiles implements LakeFiles {
  readonly root: string;
  readonly #modes: Modes;

  constructor(root: string, modes: Modes = { file: 0o644, folder: 0o755 }) {
    this.root = root;
    this.#modes = modes;
  }

  async list(folder: string): Promise<string[]> {
    const found = await readdir(join(this.root, folder), { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      if (NO_FOLDER.has(errorCode(error))) return [];
      throw new EngineError('store.unreadable', `${join(this.root, folder)} cannot be read: ${messageOf(error)}`, { cause: error });
    });
    return found.flatMap((entry) =>
      entry.isFile() && !entry.name.startsWith('.') ? [relative(this.root, join(entry.parentPath, entry.name)).replaceAll(sep, '/')] : [],
    );
  }

  async ageMs(path: string): Promise<number> {
    return Date.now() - (await stat(join(this.root, path))).mtimeMs;
  }

  async read(path: string): Promise<Buffer> {
    return (await readRegularFile(join(this.root, path), MOST_FILE_BYTES)).bytes;
  }

  async create(path: string, bytes: Uint8Array): Promise<boolean> {
    const target = join(this.root, path);
    try {
      return await createWhole(target, bytes, this.#modes);
    } catch (error) {
      if (!NO_LINKS.has(errorCode(error))) throw new EngineError('store.unwritable', unwritable(target, error), { cause: error });
      const text = `${target} cannot be written: a lake needs a file system on which a file can have a second name (hard links)`;
      throw new EngineError('store.unwritable', text, { cause: error });
    }
  }

  remove(path: string): Promise<void> {
    return rm(join(this.root, path), { force: true });
  }

  local(path: string): Promise<string> {
    return Promise.resolve(join(this.root, path));
  }

  tidy(ageMs: number): Promise<void> {
    return removeDrafts(this.root, ageMs);
  }
}
