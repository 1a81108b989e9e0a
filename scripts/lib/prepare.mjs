import { ensureBuild } from './build.mjs';
import { needsVirtualDisplay } from './display.mjs';
import { checkElectron, ensureElectron } from './electron.mjs';
import { ensurePackages } from './packages.mjs';
import { nodeRuntime } from './runtime.mjs';
import { ensureSystemLibraries } from './system-libraries.mjs';

/**
 * Everything that must be in place before a window can open. Each step looks first and does nothing when there is nothing to do.
 * @param {{ retry?: boolean }} [options] `retry`: try again what failed on an earlier run
 */
export async function prepare(options) {
  await ensurePackages();
  const runtime = nodeRuntime();
  const electron = await ensureElectron(options);
  await ensureSystemLibraries(electron.path, { virtualDisplay: needsVirtualDisplay() });
  await checkElectron(electron);
  await ensureBuild(electron.env);
  return { runtime, electron };
}
