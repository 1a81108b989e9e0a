import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandId } from '../../engine/api/commands.ts';
import { commandItems } from './menu-items.ts';
import type { MainWindow } from './window.ts';

/** Sets the menu of the application: its commands from the table, and the usual items of an application. */
export function setUpMenu(window: MainWindow): void {
  const run = (id: CommandId): void => window.send('command', { id });
  const mac = process.platform === 'darwin';
  const line: MenuItemConstructorOptions = { type: 'separator' };
  const appMenu: MenuItemConstructorOptions[] = mac ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...appMenu,
      { label: 'File', submenu: [...commandItems('File', run), line, { role: mac ? 'close' : 'quit' }] },
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [
          ...commandItems('View', run),
          line,
          { role: 'togglefullscreen' },
          ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' } as const]),
        ],
      },
      { role: 'windowMenu' },
      { label: 'Help', role: 'help', submenu: commandItems('Help', run) },
    ]),
  );
}
