import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { MainWindow } from './window.ts';

/** The application menu. Its items send the ids of the renderer's command table, so that menu, palette and keys do the same. */
export function setUpMenu(window: MainWindow): void {
  const command = (label: string, id: string, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    ...(accelerator === undefined ? {} : { accelerator, registerAccelerator: false }),
    click: () => window.send('command', { id }),
  });
  const mac: MenuItemConstructorOptions[] = process.platform === 'darwin' ? [{ role: 'appMenu' }] : [];
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...mac,
      {
        label: 'File',
        submenu: [
          command('Open Files…', 'file.open', 'CmdOrCtrl+O'),
          command('Watch This Workstation', 'source.watch'),
          command('Output of a Command…', 'source.run', 'CmdOrCtrl+Shift+O'),
          command('Listen for Syslog…', 'source.listen'),
          { type: 'separator' },
          command('Export the Lines…', 'logs.export.raw', 'CmdOrCtrl+E'),
          command('Export as JSON Lines…', 'logs.export.json'),
          command('Export as CSV…', 'logs.export.csv'),
          { type: 'separator' },
          process.platform === 'darwin' ? { role: 'close' } : { role: 'quit' },
        ],
      },
      { role: 'editMenu' },
      {
        label: 'View',
        submenu: [
          command('Logs', 'view.logs', 'CmdOrCtrl+1'),
          command('Graphs', 'view.graphs', 'CmdOrCtrl+2'),
          command('Items', 'view.items', 'CmdOrCtrl+3'),
          command('Schema', 'view.schema', 'CmdOrCtrl+4'),
          { type: 'separator' },
          command('Command Palette…', 'palette.open', 'CmdOrCtrl+K'),
          command('Keyboard Shortcuts', 'help.keys'),
          { type: 'separator' },
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { role: 'togglefullscreen' },
          { role: 'toggleDevTools' },
        ],
      },
      { role: 'windowMenu' },
    ]),
  );
}
