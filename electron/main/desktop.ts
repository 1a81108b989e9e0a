import { app, Menu, nativeImage, Notification, Tray } from 'electron';
import { join } from 'node:path';
import type { TrayIcon } from './background.ts';
import type { Desktop } from './notify.ts';

/** The notifications of this desktop. */
export const DESKTOP: Desktop = {
  isSupported: () => Notification.isSupported(),
  show(title, body, onClick) {
    const notification = new Notification({ title, body });
    notification.on('click', onClick);
    notification.show();
  },
};

/** Side of an icon in the notification area, in pixels. */
const ICON_SIZE = 22;

/** Puts an icon into the notification area. @throws where there is none */
export function showTray(actions: { readonly show: () => void; readonly quit: () => void }): TrayIcon {
  const icon = nativeImage.createFromPath(join(app.getAppPath(), 'resources', 'icons', 'icon.png'));
  const tray = new Tray(icon.resize({ width: ICON_SIZE, height: ICON_SIZE }));
  tray.setToolTip('Sluicebox keeps watching');
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Show Sluicebox', click: actions.show },
      { label: 'Quit', click: actions.quit },
    ]),
  );
  tray.on('click', actions.show);
  return tray;
}
