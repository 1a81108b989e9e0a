import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type App } from './support/app.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const PAGE = 'app://sluicebox/index.html';

/**
 * The twenty points of Electron's security checklist, asked of the running application. What they ask of a package is in package.test.ts, and that nothing
 * leaves by the network in ways-out.test.ts.
 */
describe("Electron's security checklist", () => {
  let app: App;
  let session: CDPSession;
  let preferences: Record<string, unknown>;

  beforeAll(async () => {
    app = await startApp();
    session = await app.page.context().newCDPSession(app.page);
    preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      return JSON.parse(JSON.stringify(contents.getLastWebPreferences())) as Record<string, unknown>;
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  /** Runs code in the page as if a user had clicked, which many interfaces ask for. */
  async function clicked(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      ...{ expression, userGesture: true, awaitPromise: true, returnByValue: true },
    });
    return exceptionDetails === undefined ? result.value : exceptionDetails.exception?.description;
  }

  test('1: only content of our own is loaded', async () => {
    const loaded = await app.page.evaluate(() =>
      [...document.querySelectorAll('script, link, img, iframe')].map((element) =>
        String(Reflect.get(element, 'src') ?? Reflect.get(element, 'href')),
      ),
    );
    expect(loaded).toContainEqual(expect.stringMatching(/^app:\/\/sluicebox\/.*\.js$/));
    expect(loaded.filter((url) => !/^(?:app:\/\/sluicebox\/|data:)/.test(url))).toEqual([]);
    expect(app.page.url()).toBe(PAGE);
  });

  test('2: the page has no Node', async () => {
    for (const name of ['nodeIntegration', 'nodeIntegrationInWorker', 'nodeIntegrationInSubFrames'])
      expect(preferences[name] ?? false, name).toBe(false);
    expect(await app.page.evaluate(() => [typeof require, typeof process, typeof module])).toEqual(['undefined', 'undefined', 'undefined']);
  });

  test('3: the preload runs in a world of its own, which the page cannot change', async () => {
    expect(preferences).toMatchObject({ contextIsolation: true });
    const steal = () =>
      app.page.evaluate(async () => {
        const [{ get }, { call }, stringify] = [Map.prototype, Function.prototype, JSON.stringify];
        const stolen: unknown[] = [];
        const take = (...things: unknown[]): never => {
          stolen.push(things);
          throw new Error('stolen');
        };
        Object.assign(Map.prototype, { get: take });
        Object.assign(Function.prototype, { call: take });
        JSON.stringify = take;
        const reply = await window.sluicebox.request('shell.about', {});
        Object.assign(Map.prototype, { get });
        Object.assign(Function.prototype, { call });
        JSON.stringify = stringify;
        return { answered: 'value' in reply, stolen: stolen.length };
      });
    // The page's own code may call them meanwhile, too; what the preload lets out, it lets out each time.
    await expect.poll(steal).toEqual({ answered: true, stolen: 0 });
  });

  test('4: the process of the page is sandboxed', () => expect(preferences).toMatchObject({ sandbox: true }));

  test.runIf(process.platform === 'linux' && process.getuid?.() !== 0)('4: … and the system filters what it may ask for', async () => {
    const pid = await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId());
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\s*2$/m);
  });

  test.each([
    'geolocation',
    'notifications',
    'camera',
    'microphone',
    'clipboard-read',
    'midi',
    'persistent-storage',
    'idle-detection',
    'window-management',
  ])('5: the permission %s is denied', async (name) => {
    const state = await app.page.evaluate(
      async (permission) => (await navigator.permissions.query({ name: permission as PermissionName })).state,
      name,
    );
    expect(state).toBe('denied');
  });

  test.each([
    ['a place', `new Promise((done) => navigator.geolocation.getCurrentPosition(() => done('given'), () => done('refused')))`],
    ['a notification', `Notification.requestPermission().then((answer) => (answer === 'granted' ? 'given' : 'refused'))`],
    ['a camera', `navigator.mediaDevices.getUserMedia({ video: true, audio: true })`],
    ['the screen', `navigator.mediaDevices.getDisplayMedia({ video: true })`],
    ['the clipboard', `navigator.clipboard.readText()`],
    ['MIDI', `navigator.requestMIDIAccess({ sysex: true })`],
    ['a HID device', `navigator.hid.requestDevice({ filters: [] }).then(({ length }) => (length > 0 ? 'given' : 'refused'))`],
    ['a serial port', `navigator.serial.requestPort()`],
    ['a USB device', `navigator.usb.requestDevice({ filters: [] })`],
    ['a Bluetooth device', `navigator.bluetooth.requestDevice({ acceptAllDevices: true })`],
    ['a file', `showOpenFilePicker()`],
    ['a pointer', `document.body.requestPointerLock()`],
    ['fonts', `queryLocalFonts().then(({ length }) => (length > 0 ? 'given' : 'refused'))`],
  ])('5: asked for %s, the shell refuses', async (what, ask) => {
    // A picker of the desktop is not refused by the shell: it would wait for the user, who chooses or does not.
    const late = `new Promise((late) => setTimeout(() => late('refused'), ${what === 'a file' ? 200 : 5000}))`;
    const asked = `Promise.resolve().then(() => ${ask}).then((got) => (got === 'refused' ? got : 'given'), () => 'refused')`;
    expect(await clicked(`Promise.race([${asked}, ${late}])`)).toBe('refused');
  });

  test('6: the origin of content is respected', async () => {
    expect(preferences).toMatchObject({ webSecurity: true });
    for (const url of ['https://example.org/', 'file:///etc/passwd', 'app://other/index.html'])
      expect(await clicked(`fetch('${url}').then(() => 'fetched', () => 'refused')`), url).toBe('refused');
  });

  test('7: a policy allows scripts of our own files alone', async () => {
    const policy = await app.page.evaluate(async () => (await fetch('app://sluicebox/index.html')).headers.get('content-security-policy'));
    expect(policy?.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "base-uri 'none'", "form-action 'none'"]),
    );
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|\*|https?:/);
    await app.page.evaluate(() => {
      setTimeout("window.leaked = 'text'", 0);
      const script = document.createElement('script');
      script.textContent = "window.leaked = 'inline'";
      document.body.append(script);
      document.body.insertAdjacentHTML(
        'beforeend',
        `<img src="data:," onerror="window.leaked = 'handler'"><a href="javascript:leaked=1">x</a>`,
      );
      (document.body.lastElementChild as HTMLAnchorElement).click();
      return new Promise((done) => setTimeout(done, 100));
    });
    expect(await app.page.evaluate(() => (window as unknown as { leaked?: string }).leaked)).toBeUndefined();
  });

  test('8: no insecure content is allowed', () => expect(preferences['allowRunningInsecureContent'] ?? false).toBe(false));

  test('9: no experimental features are on', () => expect(preferences['experimentalFeatures'] ?? false).toBe(false));

  test('10: no features of Blink are switched on', () => expect(preferences['enableBlinkFeatures'] ?? '').toBe(''));

  test('11: there are no web views, and so none that open windows', async () => {
    expect(preferences).toMatchObject({ webviewTag: false });
    expect(await app.page.evaluate(() => document.createElement('webview').constructor.name)).toBe('HTMLElement');
  });

  test('12: not even a window with web views gets one', async () => {
    const kinds = await app.electron.evaluate(async ({ BrowserWindow, webContents }) => {
      const window = new BrowserWindow({ show: false, webPreferences: { webviewTag: true } });
      await window.loadURL('data:text/html,<webview src="app://sluicebox/index.html" allowpopups></webview>');
      await window.webContents.executeJavaScript('new Promise((painted) => setTimeout(painted, 200))');
      const found = webContents.getAllWebContents().map((contents) => contents.getType());
      window.destroy();
      return found;
    });
    expect(kinds).not.toContain('webview');
  });

  test.each([
    'https://example.org/',
    'file:///etc/passwd',
    'data:text/html,x',
    'chrome://gpu',
    'devtools://devtools/bundled/inspector.html',
  ])('13: the page cannot leave for %s', async (url) => {
    await clicked(
      `{ const a = document.createElement('a'); a.href = '${url}'; document.body.append(a); a.click(); a.remove(); location.href = '${url}'; }`,
    );
    await app.page.waitForTimeout(100);
    expect(app.page.url()).toBe(PAGE);
  });

  test('13: a file that is dropped on it does not take its place', async () => {
    const file = join(app.data, 'dropped.html');
    writeFileSync(file, '<title>dropped</title>');
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 5, y: 5, data });
    await app.page.waitForTimeout(100);
    expect(app.page.url()).toBe(PAGE);
  });

  test.each(['app://sluicebox/index.html', 'https://example.org/', 'about:blank', 'file:///etc/passwd', ''])(
    '14: a window for %s is not opened',
    async (url) => {
      expect(await clicked(`window.open('${url}', '_blank', 'nodeIntegration=1,preload=/x') === null`)).toBe(true);
      // Those of the tests before are told to be closed a little later.
      await expect.poll(() => app.electron.windows()).toHaveLength(1);
    },
  );

  test('15: no link is opened in another program', () => {
    expect(readFileSync(join(ROOT, 'out', 'main', 'index.js'), 'utf8')).not.toMatch(/openExternal|openPath|showItemInFolder/);
  });

  test('16: packages are made with the Electron that is pinned', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> };
    expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')).not.toMatch(/^electron(?:Dist|Version|Download):/m);
  });

  test('17: whoever else asks by any of the channels is refused', async () => {
    const shell = readFileSync(join(ROOT, 'out', 'main', 'index.js'), 'utf8');
    const channels = [...shell.matchAll(/ipcMain\s*\.\s*(\w+)\(\s*["'`](\w+)/g)];
    expect(channels.map(([, how]) => how)).toEqual(channels.map(() => 'handle'));
    expect(channels).toHaveLength(shell.match(/ipcMain\s*\./g)?.length ?? 0);
    const names = channels.map(([, , name = '']) => name);
    expect(names).toContain('request');
    const replies = await app.electron.evaluate(async ({ BrowserWindow }, asked) => {
      // More than any page of ours has: it can speak to the shell directly.
      const window = new BrowserWindow({ show: false, webPreferences: { nodeIntegration: true, contextIsolation: false, sandbox: false } });
      await window.loadURL('data:text/html,<title>other</title>');
      const ask = `const { ipcRenderer } = require('electron');
        Promise.all(${JSON.stringify(asked)}.map((name) => ipcRenderer.invoke(name, 'engine.state', {})))`;
      const answers = (await window.webContents.executeJavaScript(ask)) as unknown[];
      window.destroy();
      return answers;
    }, names);
    expect(replies).toMatchObject(names.map(() => ({ failed: { code: 'request.sender' } })));
  });

  test('18: nothing is shown by file://', async () => {
    expect(existsSync('/etc/passwd')).toBe(true);
    const outcome = `new Promise((done) => { const frame = document.createElement('iframe'); frame.src = 'file:///etc/passwd';
      frame.onload = () => done(frame.contentDocument?.body.textContent ?? ''); document.body.append(frame); setTimeout(done, 200, ''); })`;
    expect(await clicked(outcome)).toBe('');
    expect(await app.page.evaluate(() => location.protocol)).toBe('app:');
  });

  test('19: all fuses are named in the configuration of the package', () => {
    const [, fuses = ''] = /^electronFuses:\n((?: .*\n)+)/m.exec(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8')) ?? [];
    expect(fuses.trim().split('\n')).toHaveLength(8);
  });

  test('20: the page is given functions of our own, and no interface of Electron', async () => {
    const given = await app.page.evaluate(() => Object.entries(window.sluicebox).map(([name, value]) => [name, typeof value] as const));
    expect(given).toContainEqual(['request', 'function']);
    expect(
      given.filter(([name, type]) => !['function', 'string'].includes(type) || /ipc|send|invoke|require|electron/i.test(name)),
    ).toEqual([]);
    await app.page.evaluate(() => {
      const told: unknown[] = [];
      window.sluicebox.on('engine', (...all: unknown[]) => void told.push(...all));
      Object.assign(window, { told });
    });
    await app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.send('event', 'engine', { state: 'running', reason: null }),
    );
    await expect.poll(() => app.page.evaluate(() => Reflect.get(window, 'told') as unknown)).toEqual([{ state: 'running', reason: null }]);
  });

  test('13: from an empty page the window comes back at once', async () => {
    const journey = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const seen: string[] = [];
      return new Promise<string[]>((done) => {
        contents?.on('did-navigate', (_event, url) => {
          seen.push(url);
          if (seen.length === 2) done(seen);
        });
        contents?.executeJavaScript(`location.href = 'about:blank'`).catch(() => undefined);
      });
    });
    expect(journey).toEqual(['about:blank', PAGE]);
  });
});
