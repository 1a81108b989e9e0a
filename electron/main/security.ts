import { app, type Session, type WebContents } from 'electron';
import { APP_ORIGIN } from './protocol.ts';

/**
 * Electron's security checklist for the whole application, with a page in mind that somebody else has taken over: it gets no permission
 * and no device, stays where it is, opens no window, file or program, and reaches no network. Must be called before the application is ready.
 */
export function setUpSecurity(): void {
  cutOffNetwork();
  app.on('session-created', guardSession);
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

/** The window needs no network. These hold where neither the page's policy nor `onBeforeRequest` asks: WebRTC over TCP, and names that are looked up ahead. */
function cutOffNetwork(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
  app.commandLine.appendSwitch('no-proxy-server');
}

function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  session.on('select-hid-device', (event, _details, choose) => refuse(event, choose));
  session.on('select-serial-port', (event, _ports, _contents, choose) => refuse(event, choose));
  session.on('select-usb-device', (event, _details, choose) => refuse(event, choose));
  // It would fetch dictionaries from Google.
  session.setSpellCheckerLanguages([]);
  session.setSpellCheckerEnabled(false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isAllowed(details.url) }));
}

function guardContents(contents: WebContents): void {
  const stay = (event: { preventDefault(): void }, url: string): void => {
    if (!url.startsWith(`${APP_ORIGIN}/`)) event.preventDefault();
  };
  contents.on('will-navigate', (event) => stay(event, event.url));
  contents.on('will-frame-navigate', (event) => stay(event, event.url));
  contents.on('will-redirect', (event) => stay(event, event.url));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('select-bluetooth-device', (event, _devices, choose) => refuse(event, choose));
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // WebRTC asks no policy of the page: without UDP of its own it is left with TCP, which must resolve even addresses.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Chooses no device where Electron would wait for a choice. */
function refuse(event: { preventDefault(): void }, choose: (device: string) => void): void {
  event.preventDefault();
  choose('');
}

function isAllowed(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) || url.startsWith('devtools://') || url.startsWith('data:') || url.startsWith('blob:');
}
