import { app, Menu, nativeImage, Notification, Tray } from 'electron';
import { join } from 'node:path';
import { asMarkup } from './markup.ts';
import type { Desktop } from './notify.ts';
import { hasNotificationArea, notificationsAnswer } from './session-bus.ts';

const sessionBus = (): string | undefined => process.env['DBUS_SESSION_BUS_ADDRESS'];

/** The notifications of this desktop. */
export const DESKTOP: Desktop = {
  async answers() {
    // Electron's own question waits for the service with the whole shell.
    if (process.platform === 'linux' && !(await notificationsAnswer(sessionBus()))) return false;
    return Notification.isSupported();
  },
  show(title, body, onClick) {
    const notification = new Notification({ title, body: process.platform === 'linux' ? asMarkup(body) : body });
    notification.on('click', onClick);
    notification.show();
    return notification;
  },
};

/** Whether an icon in the notification area is known to be seen. */
export const trayIsSeen = async (): Promise<boolean> => process.platform !== 'linux' || (await hasNotificationArea(sessionBus()));

/** Side of an icon in the notification area, in pixels. */
const ICON_SIZE = 22;

/** Puts an icon into the notification area. Returns what must be kept for as long as it is to be there. @throws where the system refuses it */
export function showTray(actions: { readonly show: () => void; readonly quit: () => void }): object {
  const icon = nativeImage.createFromPath(join(app.getAppPath(), 'resources', 'icons', 'icon.png'));
  const tray = new Tray(icon.resize({ width: ICON_SIZE, height: ICON_SIZE }));
  tray.setToolTip('Sluicebox');
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: 'Show Sluicebox', click: actions.show },
      { label: 'Quit', click: actions.quit },
    ]),
  );
  tray.on('click', actions.show);
  return tray;
}
