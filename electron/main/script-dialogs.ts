import { dialog } from 'electron';
import { writeFile } from 'node:fs/promises';
import type { EngineSupervisor } from './engine.ts';
import type { MainWindow } from './window.ts';

const FILTERS = [
  { name: 'Scripts', extensions: ['ts', 'js', 'mjs'] },
  { name: 'All files', extensions: ['*'] },
];

/** Dialogs about script files. What is chosen in them is what the window may use. */
export class ScriptDialogs {
  readonly #engine: EngineSupervisor;
  readonly #window: MainWindow;

  constructor(engine: EngineSupervisor, window: MainWindow) {
    this.#engine = engine;
    this.#window = window;
  }

  async choose(): Promise<{ path: string } | null> {
    const parent = this.#window.browserWindow;
    if (parent === null) return null;
    const { filePaths } = await dialog.showOpenDialog(parent, { title: 'Choose a script', properties: ['openFile'], filters: FILTERS });
    const [path] = filePaths;
    if (path === undefined) return null;
    this.#engine.grantScript(path);
    return { path };
  }

  async save(name: string, text: string): Promise<{ path: string } | null> {
    const parent = this.#window.browserWindow;
    if (parent === null) return null;
    const { filePath } = await dialog.showSaveDialog(parent, { title: 'Save the script', defaultPath: name, filters: FILTERS });
    if (filePath === '') return null;
    const path = /\.(?:ts|js|mjs)$/.test(filePath) ? filePath : `${filePath}${name.endsWith('.js') ? '.js' : '.ts'}`;
    await writeFile(path, text);
    this.#engine.grantScript(path);
    return { path };
  }
}
