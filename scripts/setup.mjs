// npm run setup: installs and builds what is missing, and says what is in place.
import { prepare } from './lib/prepare.mjs';
import { runMain, say } from './lib/report.mjs';

await runMain(async () => {
  const { runtime, electron } = await prepare({ retry: true });
  say(`ready: Node ${runtime.version} for the engine, Electron ${electron.version}${electron.official ? '' : ' (unofficial)'}`);
});
