import { accessSync, constants } from 'node:fs';
import { app } from 'electron';
import { complain } from './terminal.ts';

/** Ends with a sentence when the folder for the window's data cannot be used: Chromium would end without one, by a signal. */
export function requireDataFolder(): void {
  try {
    // Makes it, too.
    accessSync(app.getPath('userData'), constants.W_OK | constants.X_OK);
  } catch {
    const [name, given] = whence();
    complain(`sluicebox: the folder for the window's data cannot be made: ${name} is ${JSON.stringify(given)}.`);
    complain('  Set it to a folder that this user may write to, or start with --user-data-dir=FOLDER.');
    process.exit(1);
  }
}

/** What the folder comes from, and its value. */
function whence(): readonly [name: string, value: string] {
  const given = app.commandLine.getSwitchValue('user-data-dir');
  if (given !== '') return ['--user-data-dir', given];
  const { XDG_CONFIG_HOME: config = '', HOME: home = '' } = process.env;
  return config === '' ? ['HOME', home] : ['XDG_CONFIG_HOME', config];
}
