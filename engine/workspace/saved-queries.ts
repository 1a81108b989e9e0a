import { EngineError } from '../base/errors.ts';
import type { SavedQuery } from '../api/query-types.ts';
import type { WorkspaceFile } from './file/workspace-file.ts';

/** Most queries that are saved. */
const MOST = 200;

/** The queries that the workspace file keeps. */
export class SavedQueries {
  readonly #file: WorkspaceFile;

  constructor(file: WorkspaceFile) {
    this.#file = file;
  }

  /** By name. */
  async list(): Promise<SavedQuery[]> {
    const { queries } = await this.#file.read();
    return Object.entries(queries)
      .map(([name, sql]) => ({ name, sql }))
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  /** Saves a query under a name; one that has it is replaced. @throws {EngineError} `query.saved`, `limit.reached` */
  async save(name: string, sql: string): Promise<void> {
    const saved = await this.list();
    if (saved.length >= MOST && !saved.some((query) => query.name === name))
      throw new EngineError('limit.reached', `There are ${MOST} saved queries already. Remove one first.`);
    await this.#file.setQuery(name, sql);
  }

  /** @throws {EngineError} `query.saved` */
  async forget(name: string): Promise<void> {
    await this.#file.setQuery(name, null);
  }
}
