import { accessSync, constants } from 'node:fs';
import { app } from 'electron';
import { messageOf } from '../../engine/base/errors.ts';
import { makeFolderSync } from '../../engine/base/files/folders.ts';
import { complain } from './terminal.ts';

/** Ends with a sentence when the folder for the window's data cannot be used: Chromium would end without one, by a signal, or take another one. */
export function requireDataFolder(): void {
  const given = app.commandLine.getSwitchValue('user-data-dir');
  try {
    // Makes it, too.
    const taken = app.getPath('userData');
    accessSync(given === '' ? taken : given, constants.W_OK | constants.X_OK);
  } catch {
    const [name, value] = given === '' ? homeFolder() : ['--user-data-dir', given];
    complain(`sluicebox: the folder for the window's data cannot be made: ${name} is ${JSON.stringify(value)}.`);
    complain('  Set it to a folder that this user may write to, or start with --user-data-dir=FOLDER.');
    process.exit(1);
  }
}

/** Ends with a sentence when the folder for temporary files cannot be used (Linux): Chromium would say that another window has the folder of data. */
export function requireTemporaryFolder(): void {
  if (process.platform !== 'linux') return;
  const folder = process.env['TMPDIR'] || '/tmp';
  try {
    makeFolderSync(folder, 0o700);
    accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    complain(`sluicebox: nothing can be written into the folder for temporary files, ${JSON.stringify(folder)}: ${messageOf(error)}.`);
    complain('  Set TMPDIR to a folder that this user may write to.');
    process.exit(1);
  }
}

/** The variable that the folder comes from, and its value. */
function homeFolder(): readonly [name: string, value: string] {
  const { XDG_CONFIG_HOME: config = '', HOME: home = '' } = process.env;
  return config === '' ? ['HOME', home] : ['XDG_CONFIG_HOME', config];
}
