import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type App } from './support/app.ts';

const SCRIPT = { name: 'x.js', path: null, text: '', apply: false, keepState: true };
const LIMITS = { memory: 0, instructions: 0, output: 0 };
const TRIAL = { kind: 'filter', text: '', path: null, typed: false, source: 1, matcher: 'TRUE', config: {}, limits: LIMITS, records: 1 };

/** Electron's security checklist, asked of the running application. */
describe('security', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('the page runs isolated, sandboxed and without Node', async () => {
    const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> };
      const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag } = contents.getLastWebPreferences();
      return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag };
    });
    expect(preferences).toEqual({ contextIsolation: true, sandbox: true, nodeIntegration: false, webSecurity: true, webviewTag: false });
    expect(await app.page.evaluate(() => [typeof require, typeof process, typeof module])).toEqual(['undefined', 'undefined', 'undefined']);
  });

  test('the page comes from our own origin with a strict policy', async () => {
    expect(app.page.url()).toBe('app://sluicebox/index.html');
    const policy = await app.page.evaluate(async () => (await fetch('app://sluicebox/index.html')).headers.get('content-security-policy'));
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe-eval');
  });

  test('code from strings does not run', async () => {
    await app.page.evaluate(() => setTimeout("window.leaked = 'yes'", 0));
    await app.page.waitForTimeout(100);
    expect(await app.page.evaluate(() => (window as unknown as { leaked?: string }).leaked)).toBeUndefined();
  });

  test('an inline script does not run', async () => {
    await app.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = "window.inlined = 'yes'";
      document.body.append(script);
    });
    expect(await app.page.evaluate(() => (window as unknown as { inlined?: string }).inlined)).toBeUndefined();
  });

  test('window.open is refused', async () => {
    expect(await app.page.evaluate(() => window.open('app://sluicebox/index.html') === null)).toBe(true);
    expect(app.electron.windows()).toHaveLength(1);
  });

  test.each(['https://example.org/', 'file:///etc/passwd', 'data:text/html,x'])('navigation to %s is refused', async (url) => {
    await app.page.evaluate((target) => {
      const link = document.createElement('a');
      link.href = target;
      document.body.append(link);
      link.click();
      link.remove();
    }, url);
    await app.page.waitForTimeout(100);
    expect(app.page.url()).toBe('app://sluicebox/index.html');
  });

  test.each(['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'])('the permission %s is denied', async (name) => {
    const state = await app.page.evaluate(
      async (permission) => (await navigator.permissions.query({ name: permission as PermissionName })).state,
      name,
    );
    expect(state).toBe('denied');
  });

  test.each([
    'app://sluicebox/../../package.json',
    'app://sluicebox/..%2f..%2fpackage.json',
    'app://sluicebox/%2e%2e/%2e%2e/package.json',
    'app://sluicebox/index.html%00.png',
    'app://sluicebox/%E0%A4%A',
  ])('%s is not served', async (url) => {
    const status = await app.page.evaluate(async (target) => (await fetch(target)).status, url);
    expect(status).toBe(404);
  });

  test('nothing outside our origin is fetched', async () => {
    for (const url of ['https://example.org/', 'file:///etc/passwd', 'app://other/index.html']) {
      const outcome = await app.page.evaluate(
        (target) =>
          fetch(target).then(
            () => 'fetched',
            () => 'refused',
          ),
        url,
      );
      expect(outcome, url).toBe('refused');
    }
  });

  test.each([
    ['an unknown request', 'no.such', {}, 'request.unknown'],
    ['a name from the prototype', 'constructor', {}, 'request.unknown'],
    ['a wrong type', 'view.rows', { view: 'x', start: 0, count: 1, columns: [] }, 'request.invalid'],
    ['too many rows', 'view.rows', { view: 1, start: 0, count: 1e9, columns: [] }, 'request.invalid'],
    ['an extra member', 'engine.state', { more: 1 }, 'request.invalid'],
    ['a script outside of the workspace', 'script.read', { kind: 'filter', script: '/etc/passwd' }, 'script.foreign'],
    ['a script over a foreign file', 'script.save', { ...SCRIPT, path: '/tmp/foreign.js' }, 'script.foreign'],
    ['a script that climbs out of its folder', 'script.save', { ...SCRIPT, name: '../../x.js' }, 'script.name'],
    ['a trial of a foreign file', 'script.try', { ...TRIAL, path: '/tmp/foreign.js' }, 'script.foreign'],
    ['a script that is too long', 'script.save', { ...SCRIPT, text: 'x'.repeat(1_000_001) }, 'request.invalid'],
    ['a port out of range', 'source.listen', { protocol: 'udp', host: '127.0.0.1', port: 70_000 }, 'request.invalid'],
  ])('%s is refused', async (_title, name, input, code) => {
    const reply = await app.page.evaluate(([n, i]) => window.sluicebox.request(n as never, i as never), [name, input] as const);
    expect(reply).toMatchObject({ failed: { code } });
  });

  test('requests of a foreign frame are refused', async () => {
    const frames = await app.page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.src = 'app://sluicebox/index.html';
      document.body.append(frame);
      return document.querySelectorAll('iframe').length;
    });
    expect(frames).toBe(1);
    await app.page.waitForTimeout(200);
    const framed = app.page.frames().find((frame) => frame !== app.page.mainFrame());
    expect(await framed?.evaluate(() => typeof (window as Partial<Window>).sluicebox)).toBe('undefined');
  });

  test('the engine gets no environment that changes how it starts', async () => {
    const { pid } = await app.request('engine.state', {});
    const environment = process.platform === 'linux' ? readFileSync(`/proc/${pid}/environ`, 'utf8') : '';
    expect(environment).not.toMatch(/NODE_OPTIONS|ELECTRON_RUN_AS_NODE/);
  });
});
