import { lstat, stat } from 'node:fs/promises';
import { assistantsFolder, grantsPath, GrantsError, NO_GRANTS, readGrants, type Grants } from '../../assistants/grants.ts';
import type { GrantedPlace } from '../../assistants/granted-places.ts';

/** Grants of the window, as its file says now: it is read again when it has changed. A file that cannot be trusted grants nothing. */
export class WindowGrants {
  readonly #data: string;
  readonly #complain: (text: string) => void;
  #grants: Grants = NO_GRANTS;
  #stamp = '';
  #told = '';

  /** @param data the folder of the window's data */
  constructor(data: string, complain: (text: string) => void) {
    this.#data = data;
    this.#complain = complain;
  }

  async read(): Promise<Grants> {
    const stamp = await this.stamp();
    if (stamp === this.#stamp) return this.#grants;
    this.#stamp = stamp;
    this.#grants = this.#readNow();
    return this.#grants;
  }

  /** Changes with the file. */
  async stamp(): Promise<string> {
    const [folder, file] = await Promise.all([
      stat(assistantsFolder(this.#data)).catch(() => null),
      lstat(grantsPath(this.#data)).catch(() => null),
    ]);
    return [folder?.mode, folder?.uid, file?.ino, file?.size, file?.mtimeMs, file?.mode, file?.uid].join(' ');
  }

  #readNow(): Grants {
    const path = grantsPath(this.#data);
    try {
      return readGrants(path);
    } catch (error) {
      if (!(error instanceof GrantsError)) throw error;
      const text = `${path} ${error.message}: nothing is granted by it`;
      if (text !== this.#told) this.#complain(text);
      this.#told = text;
      return NO_GRANTS;
    }
  }
}

/** The places of grants whose files are there. */
export async function placesThere({ files }: Grants): Promise<GrantedPlace[]> {
  const there = await Promise.all(files.map(async ({ path, root }) => path !== root || (await isThere(path))));
  return files.filter((_, at) => there[at]).map(({ path, root }) => ({ path, root }));
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
