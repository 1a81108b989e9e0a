import { app, clipboard, dialog, ipcMain, type IpcMainInvokeEvent } from 'electron';
import { join } from 'node:path';
import { requests } from '../../engine/api/requests/index.ts';
import type {
  AllRequests,
  EngineRequests,
  EngineState,
  Refusal,
  Reply,
  RequestName,
  ShellRequests,
  StateChange,
} from '../../engine/api/types.ts';
import { typedPath } from '../../engine/workspace/sources/typed-target.ts';
import { RefusalError, type EngineSupervisor } from './engine.ts';
import { FileDialogs } from './file-dialogs.ts';
import { assistantCommand } from './assistant-command.ts';
import type { GivenRecord } from './given-record.ts';
import type { GivenWorkspace } from './given-workspace.ts';
import { DESKTOP } from './desktop.ts';
import { Notifier } from './notify.ts';
import { dataFolder, nodeRuntime, productRoot } from './paths.ts';
import { APP_ORIGIN } from './protocol.ts';
import type { RecentFiles } from './recent.ts';
import { ResidentMemory } from './resident-memory.ts';
import type { MainWindow } from './window.ts';

type ShellHandlers = {
  readonly [N in keyof ShellRequests]: (input: ShellRequests[N]['in']) => Promise<ShellRequests[N]['out']> | ShellRequests[N]['out'];
};

/** Something that a person gave to the application. */
interface Given {
  readonly workspaces: GivenWorkspace;
  readonly record: GivenRecord;
}

/** Relays requests of the window: checks the sender and the request, then answers it or passes it to the engine. */
export function setUpIpc(engine: EngineSupervisor, window: MainWindow, { workspaces, record }: Given, recent: RecentFiles): void {
  const dialogs = new FileDialogs(engine, window);
  const notifier = new Notifier(window, DESKTOP);
  const open = (paths: readonly string[]): Promise<{ opened: number[] }> => openChosen(engine, recent, workspaces.take(paths));
  const memory = new ResidentMemory(() => (app.isReady() ? app.getAppMetrics() : []));
  /** The engine counts its own processes. */
  const withMemory = <S extends Pick<EngineState, 'memory'>>(state: S): S => ({ ...state, memory: state.memory + memory.bytes });
  /** The last change of the state as the engine told it, and the memory as the page was told it. */
  let last: StateChange | null = null;
  let toldMemory = 0;
  const tellState = (change: StateChange): void => {
    last = change;
    const told = withMemory(change);
    toldMemory = told.memory;
    window.send('state', told);
  };
  // The engine tells nothing while it rests, and the memory of the window may still change.
  setInterval(() => {
    if (last !== null && Math.abs(withMemory(last).memory - toldMemory) >= MEMORY_STEP)
      tellState({ ...last, sources: UNCHANGED, plugins: UNCHANGED });
  }, MEMORY_MS).unref();
  let waiting = 0;
  const handlers: ShellHandlers = {
    ...shellHandlers(window, recent, open),
    'shell.chooseScript': () => dialogs.chooseScript(),
    'shell.chooseRules': () => dialogs.chooseRules(),
    'shell.saveScript': ({ name, text }) => dialogs.saveScript(name, text),
    'shell.savePicture': ({ name, png }) => dialogs.savePicture(name, png),
    'shell.saveTable': ({ name, csv }) => dialogs.saveTable(name, csv),
    'shell.chooseExport': ({ name, format }) => dialogs.chooseExport(name, format),
    'shell.chooseWorkspace': ({ save }) => dialogs.chooseWorkspace(save),
    'shell.findFile': ({ name }) => dialogs.findFile(name),
    'shell.givenWorkspace': () => workspaces.fetch(),
    'shell.givenRecord': () => record.fetch(),
    'shell.startEngine': () => {
      engine.startAgain();
      return null;
    },
    'shell.notify': ({ title, text, alert }) => {
      notifier.show(title, text, alert);
      return null;
    },
  };
  /** Answers with a value or a refusal; refuses what comes while too much is waited for. */
  const answered = async (event: IpcMainInvokeEvent, work: () => Promise<unknown>): Promise<Reply<keyof AllRequests>> => {
    waiting++;
    try {
      checkSender(event);
      if (waiting > MOST_WAITING) throw new RefusalError('request.busy', `The window waits for ${MOST_WAITING} answers already.`);
      return { value: (await work()) as never };
    } catch (error) {
      return { failed: describe(error) };
    } finally {
      waiting--;
    }
  };
  ipcMain.handle('request', (event, name: unknown, input: unknown) =>
    answered(event, async () => {
      const { known, checked } = checkRequest(name, input);
      if (known === 'open.look' || known === 'open.typed') grantTyped(engine, window, (checked as EngineRequests['open.look']['in']).text);
      const value =
        known in handlers
          ? await handlers[known as keyof ShellRequests](checked as never)
          : await engine.request(known as RequestName, checked as never);
      if (known === 'source.open') recent.add((checked as EngineRequests['source.open']['in']).paths);
      if (known === 'open.complete')
        window.typed.offer(
          (checked as EngineRequests['open.complete']['in']).text,
          (value as EngineRequests['open.complete']['out']).texts,
        );
      if (known === 'open.typed') recent.add((value as EngineRequests['open.typed']['out']).paths);
      return known === 'engine.state' ? withMemory(value as EngineState) : value;
    }),
  );
  // Only the preload asks this, with the paths of files that were dropped; a page has no way to this channel.
  ipcMain.handle('dropped', (event, paths: unknown) =>
    answered(event, () => open((checkRequest('source.open', { paths }).checked as EngineRequests['source.open']['in']).paths)),
  );
  engine.grant(
    'open',
    recent.list().map(({ path }) => path),
  );
  window.onPage(() => void engine.newPage());
  engine.on('event', (name, data) => {
    if (name === 'state') tellState(data as StateChange);
    else window.send(name, data as never);
  });
  engine.on('lifecycle', (state) => window.send('engine', state));
  engine.on('gone', (gone) => window.send('recordsGone', gone));
}

const UNCHANGED = { changed: [], ids: null } as const;

/** Milliseconds between two looks at the memory of the window. */
const MEMORY_MS = 3000;
/** Change in bytes that the page is told of. */
const MEMORY_STEP = 4 << 20;

/** Requests that may wait for their answers at once: a window has some dozens. More would fill the memory of the engine. */
const MOST_WAITING = 256;

/** Opens files that someone chose. */
async function openChosen(engine: EngineSupervisor, recent: RecentFiles, paths: readonly string[]): Promise<{ opened: number[] }> {
  if (paths.length === 0) return { opened: [] };
  engine.grant('open', paths);
  const answer = await engine.request('source.open', { paths: [...paths] });
  recent.add(paths);
  return answer;
}

/** The window may open what a person has typed in it, without a question. */
function grantTyped(engine: EngineSupervisor, window: MainWindow, text: string): void {
  if (!window.typed.has(text)) return;
  const path = typedPath(text);
  if (path !== null) engine.grant('open', [path]);
}

function checkSender({ senderFrame }: IpcMainInvokeEvent): void {
  const trusted = senderFrame !== null && senderFrame.parent === null && senderFrame.url.startsWith(`${APP_ORIGIN}/`);
  if (!trusted) throw new RefusalError('request.sender', 'This page may not ask the engine.');
}

function checkRequest(name: unknown, input: unknown): { known: keyof AllRequests; checked: unknown } {
  if (typeof name !== 'string' || !Object.hasOwn(requests, name))
    throw new RefusalError('request.unknown', `There is no request ${String(name)}.`);
  const known = name as keyof AllRequests;
  const result = requests[known].input.safeParse(input);
  if (result.success) return { known, checked: result.data };
  const where = result.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ');
  throw new RefusalError('request.invalid', `${known}: ${where}`);
}

function describe(error: unknown): Refusal {
  if (error instanceof RefusalError) return { code: error.code, text: error.message, place: error.place };
  return { code: 'shell.error', text: error instanceof Error ? error.message : String(error) };
}

/** Makes the answers that need the window and the recent files only. */
function shellHandlers(window: MainWindow, recent: RecentFiles, open: (paths: readonly string[]) => Promise<{ opened: number[] }>) {
  return {
    'shell.open': async ({ folder = false }) => {
      const parent = window.browserWindow;
      if (parent === null) return { opened: [] };
      const { filePaths } = await dialog.showOpenDialog(parent, {
        title: folder ? 'Open the logs of a folder, or a store' : 'Open log files',
        properties: [folder ? 'openDirectory' : 'openFile', 'multiSelections'],
        filters: folder
          ? []
          : [
              { name: 'All files', extensions: ['*'] },
              { name: 'Logs', extensions: ['log', 'txt', 'json', 'jsonl', 'gz'] },
              { name: 'Workspaces of Sluicebox', extensions: ['sluicebox'] },
            ],
      });
      return open(filePaths);
    },
    'shell.openSample': ({ name }) => open([join(productRoot(), 'resources', 'samples', `${name}.log`)]),
    'shell.recent': () => recent.list(),
    'shell.zoom': ({ step }) => {
      const contents = window.browserWindow?.webContents;
      // Half a level is a step of about 10 %; from half the size to twice.
      contents?.setZoomLevel(step === 0 ? 0 : Math.min(4, Math.max(-4, contents.getZoomLevel() + step / 2)));
      return null;
    },
    'shell.theme': ({ theme }) => {
      window.setTheme(theme);
      return null;
    },
    'shell.background': ({ on }) => {
      window.setBackground(on);
      return null;
    },
    'shell.copy': ({ text }) => {
      void clipboard.writeText(text);
      return null;
    },
    'shell.assistantCommand': () => ({
      command: assistantCommand({
        ...{ packaged: app.isPackaged, mounted: process.env.APPIMAGE !== undefined, platform: process.platform },
        ...{ root: productRoot(), node: nodeRuntime(), data: dataFolder(), usual: join(app.getPath('appData'), 'sluicebox') },
      }),
    }),
    'shell.about': () => ({
      version: app.getVersion(),
      electron: process.versions.electron,
      node: process.versions.node,
      workspace: join(dataFolder(), 'workspace.toml'),
    }),
  } satisfies Partial<ShellHandlers>;
}
