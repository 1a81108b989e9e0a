import type { EngineSupervisor } from './engine.ts';
import type { MainWindow } from './window.ts';

/** Whether a path is that of a workspace, by its name. */
const isWorkspace = (path: string): boolean => path.toLowerCase().endsWith('.sluicebox');

/** Hands the window a workspace that someone gave to the application: with its start, by another start, or dropped on the window. */
export class GivenWorkspace {
  readonly #engine: Pick<EngineSupervisor, 'grant'>;
  readonly #window: Pick<MainWindow, 'send'>;
  #waiting: string | null = null;

  constructor(engine: Pick<EngineSupervisor, 'grant'>, window: Pick<MainWindow, 'send'>) {
    this.#engine = engine;
    this.#window = window;
  }

  /** Takes the workspaces out of paths, of which the last one is offered to the window. Returns the others. */
  take(paths: readonly string[]): string[] {
    const path = paths.findLast(isWorkspace);
    if (path !== undefined) this.#give(path);
    return paths.filter((one) => !isWorkspace(one));
  }

  /** The one that no page has asked for yet; null: none. A page asks when it begins to listen. */
  fetch(): { readonly path: string } | null {
    const path = this.#waiting;
    this.#waiting = null;
    return path === null ? null : { path };
  }

  #give(path: string): void {
    this.#engine.grant('workspace', [path]);
    this.#waiting = path;
    this.#window.send('workspace', { path });
  }
}
