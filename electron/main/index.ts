import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { messageOf } from '../../engine/base/errors.ts';
import { launchArguments, STANDARD_INPUT, type LaunchRequest } from './arguments.ts';
import { askUser } from './ask-user.ts';
import { Consents, type ConsentRecord } from './consents.ts';
import { requireDataFolder, requireTemporaryFolder } from './require-data-folder.ts';
import { whyUntrusted } from './data-folder.ts';
import { EngineSupervisor } from './engine.ts';
import { GivenRecord } from './given-record.ts';
import { GivenWorkspace } from './given-workspace.ts';
import { setUpGraphics } from './graphics.ts';
import { setUpIpc } from './ipc.ts';
import { setUpMenu } from './menu.ts';
import { dataFolder } from './paths.ts';
import { registerScheme, setUpProtocol } from './protocol.ts';
import { RecentFiles } from './recent.ts';
import { relieveMemory } from './relieve-memory.ts';
import { reportWhenPainted } from './report.ts';
import { setUpSecurity } from './security.ts';
import { copyStandardInput, forgetStandardInputs, hasBegun, isStandardInput, standardInputPath } from './standard-input.ts';
import { StateFile } from './state-file.ts';
import { complain, say } from './terminal.ts';
import { MainWindow } from './window.ts';

// With its own handler for it, no debugger opens on this signal.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

requireDataFolder();
requireTemporaryFolder();
const given = launchArguments(process.argv, process.cwd(), app.isPackaged, existsSync);
const piped = given.files.includes(STANDARD_INPUT) ? standardInputPath(dataFolder()) : null;
const launch: LaunchRequest = { ...given, files: given.files.map((file) => (file === STANDARD_INPUT && piped !== null ? piped : file)) };

// The page loads nothing from a network: a process for that would only hold memory.
app.commandLine.appendSwitch('enable-features', 'NetworkServiceInProcess2');
// For the page, whose young generation would grow to 32 MB, and its heap with it, while a file is read.
// It collects its garbage when the shell asks the preload for it (relieve-memory.ts).
app.commandLine.appendSwitch('js-flags', '--max-semi-space-size=2 --expose-gc');
// Windows shows notifications only for the shortcut that the installer made for this name (electron-builder.yml).
if (process.platform === 'win32') app.setAppUserModelId('app.sluicebox.desktop');
registerScheme();
let isQuitting = false;
app.on('before-quit', () => (isQuitting = true));
if (app.requestSingleInstanceLock(launch)) run().catch(unlessQuitting(refuse));
else void handOver();

/** Hands the reason of a failure on, unless the application is quitting: then windows and the engine go while the start still waits for them. */
function unlessQuitting(tell: (reason: string) => void): (error: unknown) => void {
  return (error) => {
    if (!isQuitting) tell(String(error));
  };
}

/** Another instance has the window and was given the files to open. */
async function handOver(): Promise<void> {
  const what = launch.files.length === 0 ? 'its window comes to the front' : `it opens ${launch.files.join(', ')}`;
  say(`Sluicebox is running already: ${what}.`);
  if (piped !== null) await copyStandardInput(piped).catch((error: unknown) => complain(messageOf(error)));
  app.quit();
}

/** Says why it does not start. */
function refuse(reason: string): void {
  complain(reason);
  dialog.showErrorBox('Sluicebox does not start', reason);
  app.exit(1);
}

/** Runs the steps of the start in order. The engine starts, and opens the files, while Electron makes itself ready and the page is loaded. */
async function run(): Promise<void> {
  setUpSecurity();
  setUpGraphics();
  const untrusted = whyUntrusted(dataFolder());
  if (untrusted !== null) {
    await app.whenReady();
    return refuse(untrusted);
  }
  const window = new MainWindow();
  const consents = new Consents({
    show: (question) => askUser(window, question),
    record: new StateFile<ConsentRecord>(join(dataFolder(), 'confirmed.json'), { keys: [] }),
  });
  const engine = new EngineSupervisor((demands) => consents.allowed(demands));
  const workspaces = new GivenWorkspace(engine, window);
  const recent = new RecentFiles();
  const record = new GivenRecord(window);
  setUpIpc(engine, window, { workspaces, record }, recent);
  /** Opens the files of a command line, or those that the desktop names. */
  const openGiven = async (files: readonly string[]): Promise<void> => {
    const paths = workspaces.take(files.filter((file) => !isStandardInput(file)));
    await engine.openFiles(paths);
    recent.add(paths.filter((path) => existsSync(path)));
  };
  engine.start();
  forgetStandardInputs(dataFolder());
  if (piped !== null) copyStandardInput(piped).catch((error: unknown) => complain(messageOf(error)));
  record.give(launch);
  const opened = openGiven(launch.files);
  const ending = new AbortController();
  app.on('before-quit', () => ending.abort());
  /** Standard input is opened when something has come. */
  const openPiped = (files: readonly string[]): void => {
    for (const file of files.filter(isStandardInput))
      hasBegun(file, ending.signal).then(
        () => engine.openFiles([file]),
        () => undefined,
      );
  };
  openPiped(launch.files);
  app.on('will-quit', () => forgetStandardInputs(dataFolder()));
  app.on('second-instance', (_event, _argv, _cwd, more) => {
    window.focus();
    const { files } = more as LaunchRequest;
    void openGiven(files);
    openPiped(files);
    record.give(more as LaunchRequest);
  });
  // macOS starts no second instance, and names files in no command line.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    if (app.isReady()) window.focus();
    void openGiven([path]);
  });
  app.on('window-all-closed', () => app.quit());
  // Started by npm start, which is gone; a package has no such channel.
  process.on('disconnect', () => app.quit());
  if (process.connected === false) app.quit();
  app.on('before-quit', (event) => engine.stopBefore(event));
  await app.whenReady();
  setUpProtocol();
  const shown = window.show();
  // While the page is loaded.
  setUpMenu(window);
  await shown;
  await opened;
  relieveMemory(window);
  await reportWhenPainted(engine, window, launch.files).catch(unlessQuitting(complain));
}
