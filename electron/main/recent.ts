import { app } from 'electron';
import { join } from 'node:path';
import { dataFolder } from './paths.ts';
import { StateFile } from './state-file.ts';

const LIMIT = 20;

interface RecentFile {
  path: string;
  openedAt: number;
}

/** Recently opened files, newest first. Linux desktops keep no such list for us, so it is our own file. */
export class RecentFiles {
  readonly #state = new StateFile<{ files: RecentFile[] }>(join(dataFolder(), 'recent.json'), { files: [] });

  /** The files, the latest first; entries that somebody has damaged count as absent. */
  list(): RecentFile[] {
    const { files }: { readonly files: unknown } = this.#state.value;
    return Array.isArray(files) ? files.filter(isRecentFile) : [];
  }

  add(paths: readonly string[]): void {
    if (paths.length === 0) return;
    const added = paths.map((path) => ({ path, openedAt: Date.now() }));
    const kept = this.list().filter(({ path }) => !paths.includes(path));
    this.#state.save({ files: [...added, ...kept].slice(0, LIMIT) });
    for (const path of paths) tellDesktop(path);
  }
}

function isRecentFile(entry: unknown): entry is RecentFile {
  const { path, openedAt } = (entry ?? {}) as Partial<Record<keyof RecentFile, unknown>>;
  return typeof path === 'string' && typeof openedAt === 'number';
}

function tellDesktop(path: string): void {
  try {
    app.addRecentDocument(path);
  } catch {
    // It takes no path with control characters; our own list has it.
  }
}
