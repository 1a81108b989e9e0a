import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Folder of checkpoints: `SLUICEBOX_DATA`, or the usual place of the system. */
export function dataFolder(): string {
  if (process.env.SLUICEBOX_DATA) return process.env.SLUICEBOX_DATA;
  if (process.platform === 'win32') return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'sluicebox');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluicebox');
  const { XDG_STATE_HOME: given = '' } = process.env;
  // A relative path is invalid there.
  return join(isAbsolute(given) ? given : join(homeFolder(), '.local', 'state'), 'sluicebox');
}

/** The folder in which the window keeps its data, unless it was started with `--user-data-dir`. */
export function windowFolder(): string {
  if (process.platform === 'win32') return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'sluicebox');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sluicebox');
  const { XDG_CONFIG_HOME: given = '' } = process.env;
  return join(isAbsolute(given) ? given : join(homeFolder(), '.config'), 'sluicebox');
}

/** The home folder that the environment names, or else the one of the user database. */
function homeFolder(): string {
  const named = homedir();
  return isAbsolute(named) ? named : userInfo().homedir;
}
