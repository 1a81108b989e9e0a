import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../until.ts';
import { startApp, type App } from './support/app.ts';

const SCRIPT = { name: 'x.js', path: null, text: '', apply: false, keepState: true };
const LIMITS = { memory: 0, instructions: 0, output: 0 };
const TRIAL = { kind: 'filter', text: '', path: null, typed: false, source: 1, matcher: 'TRUE', config: {}, limits: LIMITS, records: 1 };

/** Rights of the page: files of the application that it may load, and requests to the engine. For all else see checklist.test.ts. */
describe('security', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

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
    const framed = await until(() => app.page.frames().find((frame) => frame !== app.page.mainFrame()), 'the frame');
    await framed.waitForLoadState();
    await expect.poll(() => framed.evaluate(() => typeof (window as Partial<Window>).sluicebox)).toBe('undefined');
  });

  test('the engine gets no environment that changes how it starts', async () => {
    const { pid } = await app.request('engine.state', {});
    const environment = process.platform === 'linux' ? readFileSync(`/proc/${pid}/environ`, 'utf8') : '';
    expect(environment).not.toMatch(/NODE_OPTIONS|ELECTRON_RUN_AS_NODE/);
  });
});
