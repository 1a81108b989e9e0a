import { dialog, type FileFilter } from 'electron';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { ExportFormat, IncidentForm, QueryFormat } from '../../engine/api/types.ts';
import type { GrantUse } from '../../engine/api/wire.ts';
import type { EngineSupervisor } from './engine.ts';
import { saveFile } from './save-file.ts';
import { visible } from './shown-text.ts';
import type { MainWindow } from './window.ts';

type Chosen = { readonly path: string } | null;

const ALL_FILES: FileFilter = { name: 'All files', extensions: ['*'] };
const SCRIPTS: readonly FileFilter[] = [{ name: 'Scripts', extensions: ['ts', 'js', 'mjs'] }, ALL_FILES];
const WORKSPACE: FileFilter = { name: 'Workspaces of Sluicebox', extensions: ['sluicebox'] };
type FileFormat = ExportFormat | QueryFormat | Exclude<IncidentForm, 'bundle'>;

const EXPORTS: Readonly<Record<FileFormat, FileFilter>> = {
  raw: { name: 'Log', extensions: ['log', 'txt'] },
  json: { name: 'JSON lines', extensions: ['jsonl', 'json'] },
  csv: { name: 'CSV', extensions: ['csv'] },
  'exact-csv': { name: 'CSV', extensions: ['csv'] },
  parquet: { name: 'Parquet', extensions: ['parquet'] },
  html: { name: 'HTML', extensions: ['html'] },
  markdown: { name: 'Markdown', extensions: ['md'] },
};

/** Dialogs for files of the user. The window may use only the files that are chosen in them. */
export class FileDialogs {
  readonly #engine: EngineSupervisor;
  readonly #window: MainWindow;
  /** The scripts that were chosen, by their names: they are saved in their places. */
  readonly #places = new Map<string, string>();

  constructor(engine: EngineSupervisor, window: MainWindow) {
    this.#engine = engine;
    this.#window = window;
  }

  async chooseScript(): Promise<Chosen> {
    const parent = this.#window.browserWindow;
    if (parent === null) return null;
    const { filePaths } = await dialog.showOpenDialog(parent, {
      title: 'Choose a script',
      properties: ['openFile'],
      filters: [...SCRIPTS],
    });
    const [path] = filePaths;
    return path === undefined ? null : this.#script(path);
  }

  /** Asks for a folder of rules. */
  chooseRules(): Promise<Chosen> {
    return this.#existing('Choose a folder of rules', [], 'rules', 'openDirectory');
  }

  async saveScript(name: string, text: string): Promise<Chosen> {
    const filePath = await this.#place('Save the script', name, SCRIPTS);
    if (filePath === null) return null;
    const path = /\.(?:ts|js|mjs)$/.test(filePath) ? filePath : await this.#withEnding(filePath, name.endsWith('.js') ? '.js' : '.ts');
    if (path === null) return null;
    await saveFile(path, text);
    return this.#script(path);
  }

  #script(path: string): { readonly path: string } {
    this.#places.set(basename(path), path);
    this.#engine.grant('script', [path]);
    return { path };
  }

  savePicture(name: string, png: Uint8Array): Promise<Chosen> {
    return this.#save('Save the graph', name, { name: 'PNG', extensions: ['png'] }, png);
  }

  saveTable(name: string, csv: string): Promise<Chosen> {
    return this.#save('Save the values of the graph', name, EXPORTS.csv, csv);
  }

  async chooseExport(name: string, format: FileFormat): Promise<Chosen> {
    const path = await this.#place(format === 'html' || format === 'markdown' ? 'Export the incident' : 'Export the records', name, [
      EXPORTS[format],
      ALL_FILES,
    ]);
    if (path === null) return null;
    this.#engine.grant('export', [path]);
    return { path };
  }

  /** Asks for a workspace to open, or where to save one. @param save its name; null: one is to be opened */
  async chooseWorkspace(save: string | null): Promise<Chosen> {
    if (save === null) return this.#existing('Open a workspace', [WORKSPACE, ALL_FILES], 'workspace');
    const chosen = await this.#place('Save the workspace', `${save}.sluicebox`, [WORKSPACE]);
    if (chosen === null) return null;
    const path = chosen.endsWith('.sluicebox') ? chosen : await this.#withEnding(chosen, '.sluicebox');
    if (path === null) return null;
    this.#places.set(basename(path), path);
    this.#engine.grant('export', [path]);
    return { path };
  }

  /** Asks where a file of a workspace is. @param name of the file, which the page gives */
  findFile(name: string): Promise<Chosen> {
    return this.#existing(`Where is ${visible(basename(name)).slice(0, 100)}?`, [ALL_FILES], 'open');
  }

  async #existing(title: string, filters: FileFilter[], use: GrantUse, what: 'openFile' | 'openDirectory' = 'openFile'): Promise<Chosen> {
    const parent = this.#window.browserWindow;
    if (parent === null) return null;
    const { filePaths } = await dialog.showOpenDialog(parent, { title, properties: [what], filters });
    const [path] = filePaths;
    if (path === undefined) return null;
    this.#engine.grant(use, [path]);
    return { path };
  }

  async #save(title: string, name: string, filter: FileFilter, content: string | Uint8Array): Promise<Chosen> {
    const path = await this.#place(title, name, [filter, ALL_FILES]);
    if (path === null) return null;
    await saveFile(path, content);
    return { path };
  }

  /** A chosen path with an ending. The dialog has not asked about a file of that name: null when there is one, which is to stay. */
  async #withEnding(chosen: string, ending: string): Promise<string | null> {
    const path = `${chosen}${ending}`;
    const parent = this.#window.browserWindow;
    if (parent === null) return null;
    if (!existsSync(path)) return path;
    const { response } = await dialog.showMessageBox(parent, {
      type: 'question',
      title: 'Sluicebox',
      message: `Replace ${visible(basename(path))}?`,
      detail: 'There is a file of this name already.',
      buttons: ['Cancel', 'Replace'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === 1 ? path : null;
  }

  /** Asks for the path of a file to save; null: the dialog was canceled. The name comes from the page, which must not preset a folder. */
  async #place(title: string, name: string, filters: readonly FileFilter[]): Promise<string | null> {
    const parent = this.#window.browserWindow;
    if (parent === null) return null;
    const suggested = basename(name);
    const defaultPath = this.#places.get(suggested) ?? suggested;
    const { filePath } = await dialog.showSaveDialog(parent, { title, defaultPath, filters: [...filters] });
    return filePath === '' ? null : filePath;
  }
}
