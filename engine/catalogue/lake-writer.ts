import { ColumnNames } from '../parquet/column-names.ts';
import { newPath, type LakeFile } from './commit.ts';
import { LateError, type Lake } from './lake.ts';

/** A file that is to be in the lake. */
export interface NewFile {
  /** Its folder within the lake. */
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly entry: Omit<LakeFile, 'path' | 'bytes'>;
}

/** Columns of a type whose names are kept from file to file. */
const MAX_NAMES = 10_000;
/** Types whose names of columns are kept. */
const MAX_TYPES = 1000;

/** Writes files into a lake, those of one step all at once. */
export class LakeWriter {
  readonly #lake: Lake;
  readonly #names = new Map<string | null, ColumnNames>();
  #isAdopted = false;

  constructor(lake: Lake) {
    this.#lake = lake;
  }

  /** The names of the columns of a type: those that are in the lake, and then those of each file. Strangers who make ever new ones cannot fill the memory. */
  async namesOf(type: string | null): Promise<ColumnNames> {
    const known = this.#names.get(type);
    if (known !== undefined && known.size <= MAX_NAMES) return known;
    if (this.#names.size >= MAX_TYPES) this.#names.clear();
    const names = new ColumnNames();
    if (known === undefined)
      for (const { type: of, layout } of (await this.#lake.snapshot()).files.values())
        if (of === type && names.size <= MAX_NAMES) names.keep([...layout.columns, ...layout.more]);
    this.#names.set(type, names);
    return names;
  }

  /** A step, to be called until it succeeds: what it has done is not done again, unless it took too long. */
  step(files: readonly NewFile[]): () => Promise<void> {
    let writtenMs = Infinity;
    const written = new Map<NewFile, LakeFile>();
    return async () => {
      if (!this.#isAdopted) await this.#lake.adopt();
      this.#isAdopted = true;
      if (written.size === 0) writtenMs = Date.now();
      for (const file of files) {
        if (written.has(file)) continue;
        const path = newPath(file.folder);
        if (!(await this.#lake.files.create(path, file.bytes))) throw new Error(`${path} is there already`);
        written.set(file, { path, ...file.entry, bytes: file.bytes.length });
      }
      try {
        await this.#lake.append({ files: [...written.values()], writtenMs });
      } catch (error) {
        if (error instanceof LateError) written.clear();
        throw error;
      }
    };
  }
}
