import { app, session, shell, type WebContents } from 'electron';
import { APP_ORIGIN } from './protocol.ts';

/**
 * Electron's security checklist for the whole application: no permission is granted, nothing navigates away, no window or web view
 * is opened by content, and only https links reach the browser.
 */
export function setUpSecurity(): void {
  app.on('web-contents-created', (_event, contents) => guard(contents));
  void app.whenReady().then(() => {
    const { defaultSession } = session;
    defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
    defaultSession.setPermissionCheckHandler(() => false);
    defaultSession.setDevicePermissionHandler(() => false);
    defaultSession.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isAllowed(details.url) }));
  });
}

function guard(contents: WebContents): void {
  const stay = (event: { preventDefault(): void }, url: string): void => {
    if (!url.startsWith(`${APP_ORIGIN}/`)) event.preventDefault();
  };
  contents.on('will-navigate', (event) => stay(event, event.url));
  contents.on('will-frame-navigate', (event) => stay(event, event.url));
  contents.on('will-redirect', (event) => stay(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (url.startsWith('https://')) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

function isAllowed(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) || url.startsWith('devtools://') || url.startsWith('data:') || url.startsWith('blob:');
}
