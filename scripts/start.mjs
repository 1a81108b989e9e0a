// npm start [-- FILE…]: installs and builds what is missing, then opens the window on the files; - is standard input.
import { join, resolve } from 'node:path';
import { needsVirtualDisplay, startVirtualDisplay } from './lib/display.mjs';
import { runElectron } from './lib/launch.mjs';
import { cacheFolder, needFolder } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runMain, say } from './lib/report.mjs';
import { adviseRoot } from './lib/root-advice.mjs';

// npm runs scripts in the project's folder and says where it was called.
const callerFolder = process.env.npm_lifecycle_event === 'start' && process.env.INIT_CWD ? process.env.INIT_CWD : process.cwd();

await runMain(async () => {
  const files = process.argv.slice(2).map((file) => (file === '-' ? file : resolve(callerFolder, file)));
  if (!process.env.CI) adviseRoot();
  const { electron } = await prepare();
  const display = needsVirtualDisplay() ? await startVirtualDisplay({ single: true }) : undefined;
  try {
    return await runElectron(electron, files, display ? { ...display.env, ...reportSettings() } : {});
  } finally {
    display?.stop();
  }
});

/** Settings for a virtual display: the window reports its content as text and as a screenshot. */
function reportSettings() {
  say('there is no display: the window opens on a virtual one (Xvfb); what it shows is reported here');
  const screenshot = process.env.SLUICEBOX_SCREENSHOT || join(cacheFolder(), 'window.png');
  needFolder(cacheFolder());
  return { SLUICEBOX_REPORT: '1', SLUICEBOX_SCREENSHOT: screenshot };
}
