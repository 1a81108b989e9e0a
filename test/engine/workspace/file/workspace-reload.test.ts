import { createSocket } from 'node:dgram';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../ports.ts';
import { Engine } from '../engine-fixture.ts';

const line = (status = 200): string => `192.0.2.7 - - [20/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" ${status} 12 "-" "curl"\n`;
const within = { interval: 20 };

let engine: Engine;
let path: string;

beforeEach(() => {
  engine = new Engine();
  path = join(engine.folder, 'workspace.toml');
});
afterEach(() => engine.workspace.stop());

const filters = async (): Promise<string[]> =>
  (await engine.ask('engine.state', {})).plugins.filter(({ kind }) => kind === 'filter').map(({ name }) => name);
const labels = async (): Promise<string[]> => (await engine.ask('engine.state', {})).sources.map(({ label }) => label);
const notices = (): string[] => engine.events.flatMap(({ name, data }) => (name === 'notice' ? [(data as { text: string }).text] : []));

/** The file, once the workspace has made it and looks at it: no source starts before that. */
async function content(): Promise<string> {
  const { id } = await engine.ask('source.listen', { protocol: 'udp', port: 0, host: '127.0.0.1' });
  await expect.poll(async () => (await engine.source(id))?.state, within).toBe('listening');
  await engine.ask('source.close', { id });
  return readFileSync(path, 'utf8');
}

const COUNTER =
  '\n[again]\ntype = "SandboxFilter"\nplugin = "http_status"\nmessage_matcher = "Fields[status] != NIL"\nticker_interval = 60\n';

describe('a workspace file that is edited', () => {
  it('gives files the filters that it lists now, from their first record on', async () => {
    const id = await engine.open(engine.file('access.log', line().repeat(7)));
    await engine.settled(id);
    await expect.poll(async () => (await engine.ask('graph.list', {})).length, within).toBe(1);
    writeFileSync(path, (await content()) + COUNTER);
    await expect.poll(filters, within).toContain('again');
    await expect.poll(async () => (await engine.ask('graph.list', {})).map(({ columns }) => columns[0]?.values[0]), within).toEqual([7, 7]);
    writeFileSync(path, readFileSync(path, 'utf8').replace(COUNTER, ''));
    await expect.poll(filters, within).not.toContain('again');
    await expect.poll(async () => (await engine.ask('graph.list', {})).length, within).toBe(1);
    expect((await engine.rows()).total).toBe(7);
  });

  it('gives listeners the filters that it lists now, and opens and closes what it lists', async () => {
    const before = await content();
    const log = engine.file('extra.log', line().repeat(2));
    const port = await freePort();
    writeFileSync(
      path,
      `${before}\n[extra]\ntype = "FileInput"\npaths = [${JSON.stringify(log)}]\n\n[net]\ntype = "UdpInput"\naddress = "127.0.0.1:${port}"\n`,
    );
    await expect.poll(labels, within).toEqual(['extra', `udp:${port}`]);
    await expect.poll(async () => (await engine.rows()).total, within).toBe(2);
    appendFileSync(path, '\n[all]\ntype = "SandboxFilter"\nplugin = "message_schema"\nmessage_matcher = "TRUE"\nticker_interval = 1\n');
    await expect.poll(() => engine.workspace.state().plugins.length, within).toBeGreaterThan(0);
    const socket = createSocket('udp4');
    // A filter is there from its first message on.
    const seen = async (): Promise<boolean> => {
      socket.send('hello', port, '127.0.0.1');
      const { plugins, sources } = await engine.ask('engine.state', {});
      const net = sources.find(({ kind }) => kind === 'udp')?.id;
      return plugins.some(({ name, source }) => name.startsWith('all') && source === net);
    };
    await expect.poll(seen, within).toBe(true);
    socket.close();
    writeFileSync(path, before);
    await expect.poll(labels, within).toEqual([]);
    await expect.poll(async () => (await engine.rows()).total, within).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });

  it('says what is wrong and leaves everything as it is', async () => {
    const id = await engine.open(engine.file('access.log', line().repeat(3)));
    await engine.settled(id);
    const running = await filters();
    writeFileSync(path, (await content()).replace('[frequent_clients]', '[frequent_clients]\nmessage_macher = "x"'));
    await expect
      .poll(notices, within)
      .toContainEqual(expect.stringMatching(/workspace\.toml:\d+: \[frequent_clients\] message_macher.*stays as it is/));
    expect(await filters()).toEqual(running);
    expect((await engine.rows()).total).toBe(3);
  });

  it('does nothing about what the window wrote itself', async () => {
    await content();
    const { id } = { id: await engine.open(engine.file('access.log', line().repeat(3))) };
    await engine.settled(id);
    await expect.poll(() => readFileSync(path, 'utf8'), within).toContain('access.log');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await labels()).toEqual(['access.log']);
    expect((await engine.source(id))?.records).toBe(3);
    expect(notices()).toEqual([]);
  });

  it('leaves alone what the window opens in the place of what it closed', async () => {
    await content();
    /** Has the file read, and waits for that. */
    const readAgain = async (marker: string): Promise<void> => {
      appendFileSync(path, `\n[${marker}]\ntype = "FileInput"\npaths = ["/nowhere/${marker}"]\n`);
      await expect.poll(labels, within).toContain(marker);
    };
    const first = await engine.ask('source.run', { command: 'sleep 1001' });
    await expect.poll(() => readFileSync(path, 'utf8'), within).toContain('sleep 1001');
    await readAgain('one');
    await engine.ask('source.close', first);
    const second = await engine.ask('source.run', { command: 'sleep 1002' });
    await expect.poll(() => readFileSync(path, 'utf8'), within).toContain('sleep 1002');
    expect(readFileSync(path, 'utf8')).toContain('[command_sleep]');
    await readAgain('two');
    await expect.poll(async () => (await engine.source(second.id))?.state, within).toBe('listening');
  });

  it('says once what of it the window does not do, with its place', async () => {
    const before = await content();
    const manager = '\n[load]\ntype = "SandboxManagerFilter"\nmessage_signer = "me"\nmessage_matcher = "TRUE"\n';
    const lines = before.split('\n').length + 1;
    writeFileSync(path, before + manager);
    const said = `${path}:${lines}: [load]: the window runs no SandboxManagerFilter (sluicebox run does)`;
    await expect.poll(notices, within).toContain(said);
    writeFileSync(path, before + manager + COUNTER);
    await engine.open(engine.file('access.log', line()));
    await expect.poll(filters, within).toContain('again');
    expect(notices().filter((text) => text === said)).toHaveLength(1);
  });
});
