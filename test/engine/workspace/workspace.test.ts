import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateChange } from '../../../engine/api/types.ts';
import { slowness } from '../../patience.ts';
import { freePort } from '../../ports.ts';
import { Engine } from './engine-fixture.ts';

const line = (path: string, status = 200, second = 0): string =>
  `192.0.2.7 - - [20/Nov/2026:10:00:${String(second % 60).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl"\n`;

let engine: Engine;
beforeEach(() => (engine = new Engine()));
afterEach(() => engine.workspace.stop());

describe('a workspace', () => {
  it('labels files of the same name by their folders while both are open', async () => {
    const [first, second] = ['web1', 'web2'].map((name) => {
      mkdirSync(join(engine.folder, name));
      return engine.file(`${name}/syslog`, 'a\n');
    }) as [string, string];
    const one = await engine.open(first);
    expect((await engine.source(one))?.label).toBe('syslog');
    const other = await engine.open(second);
    expect([(await engine.source(one))?.label, (await engine.source(other))?.label]).toEqual(['web1/syslog', 'web2/syslog']);
    await engine.ask('source.close', { id: one });
    expect((await engine.source(other))?.label).toBe('syslog');
  });

  it('opens a file, detects its decoder and shows its records, refused ones included', async () => {
    const path = engine.file('access.log', line('/a') + 'garbage\n' + line('/b', 404, 1).repeat(3));
    const id = await engine.open(path);
    await engine.settled(id);
    expect(await engine.source(id)).toMatchObject({
      ...{ kind: 'file', label: 'access.log', location: path, state: 'following', records: 5, failures: 1, problem: null },
      decoder: { name: 'nginx_access', by: 'detected', confidence: 0.8 },
    });
    const { total, rows } = await engine.rows({}, ['Fields[request]', 'status', 'Nothing']);
    expect(total).toBe(5);
    expect(rows.map(({ id: record, failure, values }) => [record, failure, values])).toEqual([
      [0, null, ['GET /a HTTP/1.1', '200', null]],
      [1, 'no match', [null, null, null]],
      ...[2, 3, 4].map((record) => [record, null, ['GET /b HTTP/1.1', '404', null]]),
    ]);
    expect(rows[0]).toMatchObject({
      source: id,
      type: 'nginx.access',
      timeNs: '1795168800000000000',
      text: line('/a').trimEnd(),
      severity: null,
    });
    const detail = await engine.ask('record.get', { id: 2 });
    expect(detail).toMatchObject({ decoder: 'nginx_access', raw: line('/b', 404, 1).trimEnd(), payload: null });
    expect(detail.fields[2]).toEqual({ name: 'status', type: 'double', representation: null, values: ['404'] });
    const { json } = await engine.ask('record.json', { id: 2 });
    expect(json).not.toContain('\n');
    expect(JSON.parse(json)).toMatchObject({ Uuid: detail.uuid, Type: 'nginx.access', Fields: [{}, {}, { name: 'status', value: [404] }] });
  });

  it('shows a file raw when no decoder takes it', async () => {
    const id = await engine.open(engine.file('notes.txt', 'one\ntwo\nthree\n'));
    await engine.settled(id);
    expect(await engine.source(id)).toMatchObject({ decoder: null, records: 3, failures: 0 });
    expect((await engine.rows()).rows.map(({ text }) => text)).toEqual(['one', 'two', 'three']);
  });

  it('shows each record of a large file as it is, while it is read and afterwards', async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) =>
      line(i % 4999 === 0 ? `/ü${i}` : `/${'a'.repeat(i % 97)}${i}`, 200 + (i % 7), i),
    );
    const id = await engine.open(engine.file('large.log', lines.join('')));
    const { view } = await engine.ask('view.open', { query: {} });
    const { view: some } = await engine.ask('view.open', { query: { text: '9/' } });
    let known = 0;
    for (let step = 0; known < lines.length; step++) {
      const start = Math.max(0, [known - 60, step * 500, 0][step % 3] as number);
      const { total, rows } = await engine.ask('view.rows', { view, start, count: 60, columns: [] });
      expect(rows.map(({ text }) => text)).toEqual(lines.slice(start, start + rows.length).map((text) => text.trimEnd()));
      known = total;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await engine.settled(id);
    for (let start = 0; start < lines.length; start += 1000) {
      const { rows } = await engine.ask('view.rows', { view, start, count: 1000, columns: ['status'] });
      expect(rows.map(({ text, values }) => `${text} ${values[0]}`)).toEqual(
        lines.slice(start, start + 1000).map((text, i) => `${text.trimEnd()} ${200 + ((start + i) % 7)}`),
      );
    }
    const { total } = await engine.ask('view.rows', { view: some, start: 0, count: 1, columns: [] });
    expect(total).toBe(lines.filter((text) => text.includes('9/')).length);
  });

  it('brings appended lines into a view at once', async () => {
    const path = engine.file('live.log', line('/first').repeat(20));
    const id = await engine.open(path);
    await engine.settled(id);
    const { view } = await engine.ask('view.open', { query: { text: '/appended' } });
    let total = 0;
    let quickest = Infinity;
    // Other work of the machine makes it later, never sooner.
    const atOnce = 150 * slowness();
    while (total === 0 || (quickest >= atOnce && total < 20)) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      engine.events.length = 0;
      const written = performance.now();
      appendFileSync(path, line('/appended'));
      total++;
      const seen = () => engine.events.find(({ name, data }) => name === 'view.changed' && (data as { total: number }).total === total);
      await expect.poll(seen, { interval: 2 }).toBeDefined();
      quickest = Math.min(quickest, (seen()?.at ?? Infinity) - written);
    }
    expect(quickest).toBeLessThan(atOnce);
    const { rows } = await engine.ask('view.rows', { view, start: 0, count: 100, columns: ['request'] });
    expect(rows.map(({ values }) => values[0])).toEqual(Array.from({ length: total }, () => 'GET /appended HTTP/1.1'));
  });

  it('runs the filters that fit', async () => {
    const id = await engine.open(engine.file('access.log', line('/a').repeat(7)));
    await engine.settled(id);
    await expect.poll(async () => (await engine.ask('items.list', {})).length).toBe(2);
    await expect.poll(async () => (await engine.ask('graph.list', {})).length).toBe(1);
    const [graph] = await engine.ask('graph.list', {});
    expect(graph).toMatchObject({ source: id, plugin: 'http_status', title: 'HTTP Status', rowMs: 60_000 });
    expect(graph?.columns[0]?.values).toEqual(new Float64Array([7]));
    const items = await engine.ask('items.list', {});
    expect(items.map(({ variable }) => variable).sort()).toEqual(['Fields[remote_addr]', 'Fields[request]']);
    const [logger] = (await engine.ask('schema.changes', { since: 0 })).loggers;
    expect(logger).toMatchObject({ count: 7, types: [{ name: 'nginx.access', count: 7 }] });
    expect(logger?.types[0]?.versions[0]?.fields).toMatchObject([
      { name: 'remote_addr', type: 'string', count: 7, optional: false },
      { name: 'request', type: 'string', samples: ['GET /a HTTP/1.1'] },
      { name: 'status', type: 'number' },
    ]);
    const { plugins } = await engine.ask('engine.state', {});
    expect(plugins.map(({ kind, name, state }) => `${kind} ${name}${state === 'waiting' ? ' waits' : ''}`)).toEqual([
      'decoder nginx_access (access.log)',
      ...['http_status', 'frequent_clients', 'frequent_requests', 'frequent_programs waits'].map((name) => `filter ${name}`),
    ]);
  });

  it('keeps the filters of several files apart', async () => {
    const one = await engine.open(engine.file('one.log', line('/a').repeat(2)));
    const two = await engine.open(engine.file('two.log', line('/a').repeat(3)));
    await engine.settled(one);
    await engine.settled(two);
    await expect.poll(async () => (await engine.ask('graph.list', {})).length).toBe(2);
    const graphs = await engine.ask('graph.list', {});
    expect(graphs.map(({ source, columns }) => [source, columns[0]?.values[0]]).sort()).toEqual([
      [one, 2],
      [two, 3],
    ]);
    expect(new Set(graphs.map(({ plugin }) => plugin)).size).toBe(2);
    await engine.ask('source.close', { id: one });
    expect((await engine.ask('graph.list', {})).map(({ source }) => source)).toEqual([two]);
    expect((await engine.rows()).total).toBe(3);
  });

  it('sends the graph that changed to who waits for it', async () => {
    const path = engine.file('one.log', line('/a').repeat(2));
    const one = await engine.open(path);
    const two = await engine.open(engine.file('two.log', line('/a').repeat(3)));
    await engine.settled(one);
    await engine.settled(two);
    await expect.poll(async () => (await engine.ask('graph.list', {})).length).toBe(2);
    // Whose graph comes first is open: each has a filter of its own.
    const kept = (await engine.ask('graph.list', {})).filter(({ source }) => source === two).map(({ key }) => key);
    let { revision, keys } = await engine.ask('graph.changes', { since: 0 });
    appendFileSync(path, line('/b'));
    const changed: number[] = [];
    while (!changed.includes(3)) {
      const change = await engine.ask('graph.changes', { since: revision });
      expect(change.keys).toEqual(keys);
      expect(change.changed.every(({ source }) => source === one)).toBe(true);
      changed.push(...change.changed.map(({ columns }) => columns[0]?.values[0] ?? NaN));
      ({ revision, keys } = change);
    }
    await engine.ask('source.close', { id: one });
    expect(await engine.ask('graph.changes', { since: revision })).toMatchObject({ keys: kept, changed: [] });
  });

  it('decodes anew by another decoder, or shows raw', async () => {
    const id = await engine.open(engine.file('access.log', line('/a').repeat(4)));
    await engine.settled(id);
    await engine.ask('source.decoder', { id, decoder: null });
    await expect.poll(async () => (await engine.source(id))?.decoder).toBeNull();
    await engine.settled(id);
    const raw = await engine.rows();
    expect(raw.rows.map(({ type }) => type)).toEqual(['logfile', 'logfile', 'logfile', 'logfile']);
    await engine.ask('source.decoder', { id, decoder: 'syslog' });
    await expect.poll(async () => (await engine.source(id))?.failures).toBe(4);
    expect((await engine.source(id))?.decoder).toMatchObject({ name: 'syslog', by: 'user' });
    await expect(engine.ask('source.decoder', { id, decoder: 'nginx_acces' })).rejects.toThrow('did you mean nginx_access?');
  });

  it.each<{ title: string; make: () => string; code: string }>([
    { title: 'is missing', make: () => join(engine.folder, 'absent.log'), code: 'file.missing' },
    {
      title: 'is binary',
      make: () =>
        engine.file(
          'x.bin',
          new Uint8Array(4096).map((_, i) => i * 7),
        ),
      code: 'file.binary',
    },
  ])('says what is wrong with a file that $title, and goes on', async ({ make, code }) => {
    const bad = await engine.open(make());
    const good = await engine.open(engine.file('good.log', line('/a')));
    await engine.settled(bad);
    await engine.settled(good);
    expect(await engine.source(bad)).toMatchObject({ state: 'failed', records: 0 });
    expect((await engine.source(bad))?.problem).toBeTruthy();
    expect((await engine.ask('notice.list', {})).map((notice) => notice.code)).toContain(code);
    expect(await engine.source(good)).toMatchObject({ state: 'following', records: 1 });
  });

  it('opens an empty file and shows what is written to it later', async () => {
    const path = engine.file('empty.log', '');
    const id = await engine.open(path);
    await engine.settled(id);
    expect(await engine.source(id)).toMatchObject({ state: 'following', records: 0, problem: null });
    appendFileSync(path, 'hello\n');
    await expect.poll(async () => (await engine.source(id))?.records).toBe(1);
  });

  it('opens a file once', async () => {
    const path = engine.file('a.log', 'x\n');
    await engine.grant(path, 'open');
    const { opened } = await engine.ask('source.open', { paths: [path, path] });
    expect(opened[0]).toBe(opened[1]);
    expect(await engine.open(path)).toBe(opened[0]);
  });
});

describe('listeners', () => {
  it('take syslog over UDP and TCP, and listen again after a new start', async () => {
    const port = await freePort();
    const { id: tcp } = await engine.ask('source.listen', { protocol: 'tcp', host: '127.0.0.1', port });
    const { id: udp } = await engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port });
    expect(tcp).not.toBe(udp);
    await expect
      .poll(async () => (await engine.ask('engine.state', {})).sources.map(({ state }) => state))
      .toEqual(['listening', 'listening']);
    expect(await engine.ask('source.listen', { protocol: 'udp', host: '127.0.0.1', port })).toEqual({ id: udp });
    connect(port, '127.0.0.1').end('<34>one\n<35>two\n');
    const sender = createSocket('udp4');
    sender.send('<36>three', port, '127.0.0.1', () => sender.close());
    await expect.poll(async () => (await engine.source(tcp))?.records).toBe(2);
    await expect.poll(async () => (await engine.source(udp))?.records).toBe(1);
    const { rows } = await engine.rows({ sources: [udp] });
    expect(rows).toMatchObject([{ type: 'syslog', text: '<36>three', source: udp }]);
    expect(await engine.source(tcp)).toMatchObject({
      label: `tcp:${port}`,
      location: `127.0.0.1:${port}`,
      kind: 'tcp',
      decoder: { name: 'syslog' },
    });

    const { folder } = engine;
    await engine.ask('source.close', { id: tcp });
    await engine.workspace.stop();
    engine = new Engine(folder);
    await expect
      .poll(async () => (await engine.ask('engine.state', {})).sources.map(({ kind, state }) => [kind, state]))
      .toEqual([['udp', 'listening']]);
  });

  // Other systems have one loopback address.
  it.skipIf(process.platform !== 'linux')('listen on the same port of several addresses', async () => {
    const port = await freePort();
    const listening = async (): Promise<string[]> =>
      (await engine.ask('engine.state', {})).sources.filter(({ state }) => state === 'listening').map(({ location }) => location);
    for (const host of ['127.0.0.1', '127.0.0.2']) await engine.ask('source.listen', { protocol: 'udp', host, port });
    await expect.poll(listening).toEqual([`127.0.0.1:${port}`, `127.0.0.2:${port}`]);
    const { folder } = engine;
    await engine.workspace.stop();
    engine = new Engine(folder);
    await expect.poll(listening).toEqual([`127.0.0.1:${port}`, `127.0.0.2:${port}`]);
  });

  it('say when a port is in use, and go on', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = engine.ask('source.listen', { protocol: 'tcp', host: '127.0.0.1', port });
    await expect(refused).rejects.toMatchObject({ code: 'source.listen', message: expect.stringContaining(String(port)) as string });
    expect((await engine.ask('engine.state', {})).sources.filter(({ kind }) => kind === 'tcp')).toEqual([]);
    // The answer says it: a notice would say it again.
    expect((await engine.ask('notice.list', {})).map(({ code }) => code)).not.toContain('port.in-use');
    server.close();
  });
});

describe('the workspace file', () => {
  const again = async (): Promise<void> => {
    const { folder } = engine;
    await engine.workspace.stop();
    engine = new Engine(folder);
  };

  it('is taken over at the start: sources, decoders and filters', async () => {
    const path = engine.file('auth.log', '<34>x\n<35>y\n');
    engine.file(
      'workspace.toml',
      `[auth]\ntype = "FileInput"\npaths = ["${path}"]\ndecoder = "syslog"\n[mine]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "TRUE"\n`,
    );
    await again();
    await expect.poll(async () => (await engine.source(1))?.records).toBe(2);
    expect(await engine.source(1)).toMatchObject({
      label: 'auth',
      location: path,
      decoder: { name: 'syslog', by: 'configuration' },
      failures: 0,
    });
    await expect
      .poll(async () => (await engine.ask('engine.state', {})).plugins.map(({ name }) => name))
      .toEqual(['syslog (auth)', 'mine']);
  });

  it('remembers the decoder that the user chose, not what is open', async () => {
    const path = engine.file('a.log', line('/a'));
    const id = await engine.open(path);
    await engine.settled(id);
    await engine.ask('source.decoder', { id, decoder: 'syslog' });
    await expect.poll(() => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8')).toContain('plugin = "syslog"');
    await again();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await engine.ask('engine.state', {})).sources).toEqual([]);
    const next = await engine.open(path);
    await engine.settled(next);
    expect((await engine.source(next))?.decoder).toMatchObject({ name: 'syslog', by: 'user' });
  });

  it('remembers by how much the times of a source are wrong', async () => {
    const path = engine.file('a.log', line('/a'));
    const id = await engine.open(path);
    await engine.settled(id);
    const times = async (): Promise<number[]> => (await engine.rows({})).rows.map(({ time }) => time);
    const written = Date.UTC(2026, 10, 20, 10, 0, 0);
    expect(await times()).toEqual([written]);
    await engine.ask('source.shift', { id, seconds: 7200 });
    await expect.poll(times).toEqual([written + 7_200_000]);
    expect((await engine.source(id))?.timeOffset).toBe(7200);
    await expect.poll(() => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8')).toContain('time_offset = 7200');
    await again();
    const next = await engine.open(path);
    await engine.settled(next);
    expect(await times()).toEqual([written + 7_200_000]);
    await engine.ask('source.shift', { id: next, seconds: 0 });
    await expect.poll(times).toEqual([written]);
    await expect.poll(() => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8')).not.toContain('time_offset');
  });

  it('shifts the times of an input that it lists without opening it anew', async () => {
    const path = engine.file('auth.log', line('/a'));
    engine.file('workspace.toml', `# mine\n[web]\ntype = "FileInput"\npaths = ["${path}"]\ntime_offset = -60\n`);
    await again();
    const written = Date.UTC(2026, 10, 20, 10, 0, 0);
    const times = async (): Promise<number[]> => (await engine.rows({})).rows.map(({ time }) => time);
    await expect.poll(times).toEqual([written - 60_000]);
    await engine.ask('source.shift', { id: 1, seconds: 60 });
    await expect.poll(times).toEqual([written + 60_000]);
    await expect.poll(() => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8')).toContain('time_offset = 60');
    await engine.settled(1);
    expect((await engine.ask('engine.state', {})).sources.map(({ id }) => id)).toEqual([1]);
    expect(readFileSync(join(engine.folder, 'workspace.toml'), 'utf8')).toContain('# mine');
  });

  it('forgets files that were closed, that are gone, and that are none', async () => {
    const text = (): string => readFileSync(join(engine.folder, 'workspace.toml'), 'utf8');
    const [kept, closed, gone] = ['kept.log', 'closed.log', 'gone.log'].map((name) => engine.file(name, line('/a')));
    const ids = [];
    for (const path of [kept, closed, gone]) ids.push(await engine.open(path as string));
    for (const id of ids) await engine.settled(id);
    await engine.ask('source.decoder', { id: ids[1] as number, decoder: 'syslog' });
    await expect.poll(text).toContain('decoder of ');
    await engine.ask('source.close', { id: ids[1] as number });
    await expect.poll(text).not.toContain('closed.log');
    expect(text()).toContain('gone.log');
    rmSync(gone as string);
    await again();
    await expect.poll(text).not.toContain('gone.log');
    expect(text()).toContain('kept.log');
    const folder = join(engine.folder, 'some-folder');
    mkdirSync(folder);
    await engine.open(folder);
    await expect.poll(text).not.toContain('some-folder');
  });

  it('that is broken is a notice, and everything else goes on', async () => {
    engine.file('workspace.toml', '[broken\n');
    await again();
    const id = await engine.open(engine.file('a.log', line('/a')));
    await engine.settled(id);
    expect((await engine.source(id))?.records).toBe(1);
    expect((await engine.ask('notice.list', {})).map(({ code, text }) => [code, /workspace\.toml:1/.test(text)])).toContainEqual([
      'workspace.invalid',
      true,
    ]);
  });
});

describe('requests', () => {
  it.each<{ title: string; name: string; input: unknown; code: string }>([
    { title: 'that it does not know', name: 'engine.explode', input: {}, code: 'request.unknown' },
    { title: 'by the name of a method', name: 'constructor', input: {}, code: 'request.unknown' },
    { title: 'of the wrong shape', name: 'view.rows', input: { view: 'one' }, code: 'request.invalid' },
    { title: 'with more than belongs there', name: 'engine.state', input: { evil: 1 }, code: 'request.invalid' },
    {
      title: 'about a view that is not there',
      name: 'view.rows',
      input: { view: 9, start: 0, count: 1, columns: [] },
      code: 'view.unknown',
    },
    { title: 'about a source that is not there', name: 'source.close', input: { id: 9 }, code: 'source.unknown' },
    { title: 'about a record that is not there', name: 'record.get', input: { id: 9 }, code: 'record.unknown' },
    { title: 'for the JSON of a record that is not there', name: 'record.json', input: { id: 9 }, code: 'record.unknown' },
    { title: 'with a wrong matcher', name: 'view.open', input: { query: { matcher: 'Type = 1' } }, code: 'query.matcher' },
  ])('$title are refused with a code', async ({ name, input, code }) => {
    await expect(engine.ask(name as 'engine.state', input as Record<string, never>)).rejects.toMatchObject({ code });
  });

  it('stop the engine', async () => {
    await engine.stop();
    expect(engine.stopped).toBe(true);
  });

  it('push the state at most four times a second, and only when it changed', async () => {
    const id = await engine.open(engine.file('a.log', 'x\n'.repeat(5000)));
    await engine.settled(id);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    // The push that tells of a file that was opened comes at once.
    const all = engine.events.filter(({ name }) => name === 'state');
    const pushes = all.slice(all.findIndex(({ data }) => (data as StateChange).sources.changed.some((source) => source.id === id)));
    for (let i = 1; i < pushes.length; i++) expect((pushes[i]?.at ?? 0) - (pushes[i - 1]?.at ?? 0)).toBeGreaterThan(200);
    expect(pushes.length).toBeGreaterThan(0);
  });
});
