import { app } from 'electron';
import { launchArguments, type LaunchRequest } from './arguments.ts';
import { EngineSupervisor } from './engine.ts';
import { setUpIpc } from './ipc.ts';
import { setUpMenu } from './menu.ts';
import { registerScheme, setUpProtocol } from './protocol.ts';
import { reportWhenPainted } from './report.ts';
import { setUpSecurity } from './security.ts';
import { MainWindow } from './window.ts';

const launch = launchArguments(process.argv, process.cwd(), app.isPackaged);

registerScheme();
if (app.requestSingleInstanceLock(launch)) void run();
else handOver();

/** Another instance has the window and was given the files to open. */
function handOver(): void {
  const what = launch.files.length === 0 ? 'its window comes to the front' : `it opens ${launch.files.join(', ')}`;
  process.stdout.write(`Sluicebox is running already: ${what}.\n`);
  app.quit();
}

/** Runs the steps of the start in order. */
async function run(): Promise<void> {
  setUpSecurity();
  await app.whenReady();
  setUpProtocol();
  const engine = new EngineSupervisor();
  const window = new MainWindow();
  setUpIpc(engine, window);
  setUpMenu(window);
  engine.start();
  app.on('second-instance', (_event, _argv, _cwd, more) => {
    window.focus();
    void engine.openFiles((more as LaunchRequest).files);
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', (event) => engine.stopBefore(event));
  await window.show();
  await engine.openFiles(launch.files);
  await reportWhenPainted(engine, window, launch.files);
}
