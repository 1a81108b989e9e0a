import { connect } from 'node:net';
import { createSocket } from 'node:dgram';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { until } from '../until.ts';
import { startApp, type App } from './support/app.ts';
import { Listener } from './support/listener.ts';
import { ELEMENTS, gather, rtcServers, SCRIPTS, type Target } from './support/ways-out.ts';

/** A page that has been taken over tries everything that a browser offers to send something to a server: no byte may arrive, and no name be asked for. */
describe('a page that was taken over', () => {
  let app: App;
  let listener: Listener;
  let target: Target;
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-ways-out-'));
  const netLog = join(folder, 'net.json');
  const opened = join(folder, 'opened');

  beforeAll(async () => {
    listener = await Listener.start();
    const host = `127.0.0.1:${listener.port}`;
    target = { host, url: `http://${host}/leak`, name: 'leak.sluicebox.example' };
    // A proxy of the desktop would resolve names and pass on bytes, and the program that opens links would be another browser.
    for (const name of ['http_proxy', 'https_proxy', 'all_proxy']) vi.stubEnv(name, `http://${host}`);
    vi.stubEnv('no_proxy', '');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$@" >> '${opened}'\n`);
    chmodSync(join(folder, 'xdg-open'), 0o755);
    vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`);
    app = await startApp([], undefined, [`--log-net-log=${netLog}`]);
    await app.page.evaluate(() => Object.assign(window, { untouched: true }));
  });

  /** The log of the network as far as it tells of everything until now: it is written in portions, and what is left at the end only by a browser that ends in time. */
  async function writtenLog(): Promise<NetLog> {
    const now = Date.now();
    const written = async (): Promise<NetLog | null> => {
      await app.page.evaluate(() => {
        document.head.append(Object.assign(document.createElement('link'), { rel: 'dns-prefetch', href: `//${Math.random()}.example` }));
      });
      const log = readNetLog(netLog);
      return log.events.some(({ time }) => Number(time) + log.timeOffset > now) ? log : null;
    };
    return until(written, 'a late request in the log of the network');
  }

  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await listener[Symbol.asyncDispose]();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  test('would be noticed', async () => {
    const control = await Listener.start();
    connect(control.port, '127.0.0.1').end('x');
    await until(() => control.arrived.length === 2, 'the bytes over TCP');
    createSocket('udp4').unref().send('x', control.port, '127.0.0.1');
    await until(() => control.arrived.length === 3, 'the datagram');
    await control[Symbol.asyncDispose]();
  });

  test.each(Object.entries(ELEMENTS))('sends nothing by the element %s', async (_name, html) => {
    const filled = html.replaceAll('URL', target.url).replaceAll('HOST', target.host).replaceAll('NAME', target.name);
    await app.page.evaluate((source) => {
      document.body.append(document.createRange().createContextualFragment(source));
      const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)));
      // A window that is not drawn loads nothing more, either.
      return Promise.race([painted, new Promise((late) => setTimeout(late, 500))]);
    }, filled);
    expect(listener.arrived).toEqual([]);
  });

  test.each(Object.entries(SCRIPTS))('sends nothing by %s', async (_name, way) => {
    // A way that the browser refuses at once, or does not know at all, is closed too.
    await Promise.race([
      app.page.evaluate(way as (to: Target) => Promise<void>, target).catch(() => undefined),
      app.page.waitForTimeout(300),
    ]);
    expect(listener.arrived).toEqual([]);
  });

  test.each([
    ['STUN', false],
    ['TURN over UDP', false],
    ['TURN over TCP', false],
    ['TURN over TLS', false],
    ['TURN over TCP', true],
    ['TURN over UDP', true],
  ])('sends nothing by WebRTC with %s (in an empty frame: %s)', async (how, framed) => {
    const urls = rtcServers(target).find(([name]) => name === how)?.[1] ?? [];
    expect(urls).not.toEqual([]);
    expect(await app.page.evaluate(gather, { urls, host: target.host, framed })).toEqual([]);
    expect(listener.arrived).toEqual([]);
  });

  test('is still the page that it was, in the one window that there is', async () => {
    expect(app.page.url()).toMatch(/^app:\/\/sluicebox\/index\.html(?:#here)?$/);
    expect(await app.page.evaluate(() => 'untouched' in window)).toBe(true);
    expect(app.electron.windows()).toHaveLength(1);
  });

  test('starts no other program', () => expect(existsSync(opened) ? readFileSync(opened, 'utf8') : '').toBe(''));

  test('never made the browser connect, send or ask for a name, and the browser did none of it by itself', async () => {
    const { names, events } = await writtenLog();
    const seen = new Set(events.map(({ type }) => names.get(type) ?? ''));
    // The log was on: the tries came as far as to the resolver that refuses all names.
    expect(seen).toContain('HOST_RESOLVER_MANAGER_REQUEST');
    expect([...seen].filter((name) => SENDING.test(name))).toEqual([]);
    const urls = events.flatMap(({ params }) => (params?.url === undefined ? [] : [params.url]));
    expect(urls.filter((url) => /^(?:https?|wss?|ftp):/.test(url))).toEqual([]);
    expect(listener.arrived).toEqual([]);
  });
});

/** Events of Chromium's log that stand for something that has left, or was about to. */
const SENDING =
  /^(?:TCP_CONNECT|SOCKET_BYTES_SENT|UDP_BYTES_SENT|SSL_CONNECT$|DNS_TRANSACTION|HOST_RESOLVER_(?:SYSTEM|DNS)_TASK|QUIC_SESSION$)/;

/** The part of Chromium's network log that is used here. */
interface NetLog {
  /** Names of the types by their numbers. */
  readonly names: ReadonlyMap<number, string>;
  /** Added to the time of an event, it gives milliseconds since 1970. */
  readonly timeOffset: number;
  readonly events: readonly { readonly type: number; readonly time: string; readonly params?: { readonly url?: string } }[];
}

/** Reads a log that may still be written: constants in the first line, one event in each line from the third on. */
function readNetLog(path: string): NetLog {
  const [head = '', , ...lines] = readFileSync(path, 'utf8').split('\n');
  const { constants } = JSON.parse(head.replace(/,$/, '}')) as {
    constants: { logEventTypes: Record<string, number>; timeTickOffset: string };
  };
  const names = new Map(Object.entries(constants.logEventTypes).map(([name, number]) => [number, name]));
  // The line at the end may not be whole yet.
  const events = lines.slice(0, -1).map((line) => JSON.parse(line.replace(/[,\]]+$/, '')) as NetLog['events'][number]);
  return { names, timeOffset: Number(constants.timeTickOffset), events };
}
