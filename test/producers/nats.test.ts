/** Batches through a real server of NATS. */
import { DiscardPolicy, jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, nkeys, type NatsConnection } from '@nats-io/transport-node';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NatsInput, type NatsInputOptions } from '../../engine/inputs/nats/nats-input.ts';
import type { FleetStream } from '../../engine/api/fleet-types.ts';
import { encodeBatch } from '../../engine/nats/batch.ts';
import { fleetOf } from '../../engine/nats/fleet.ts';
import { encodeMessage } from '../../engine/message/protobuf.ts';
import type { Message } from '../../engine/message/types.ts';
import { NotDeliveredError } from '../../engine/outputs/delivery.ts';
import { NatsWriter, type NatsWriterOptions } from '../../engine/outputs/nats/nats-writer.ts';
import type { Receipt } from '../../engine/outputs/writers.ts';
import { TestSink } from '../engine/inputs/harness.ts';
import { until } from '../until.ts';
import { NatsServer } from './support/nats-server.ts';
import { ServerFolder } from './support/server.ts';

const TLS = join(import.meta.dirname, '..', 'fixtures', 'tls');
const PASSWORD = 'a secret';

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const server = new NatsServer();
let connection: NatsConnection;
let manager: JetStreamManager;
beforeAll(async () => {
  await server.start('max_payload: 65536');
  connection = await connect({ servers: [`127.0.0.1:${server.port}`], maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  manager = await jetstreamManager(connection);
});
afterAll(async () => {
  await connection.close();
  await server.close();
});

/** The permissions of a user in the documentation. */
function documentedRights(user: string): string {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'cluster.md'), 'utf8');
  const rights = new RegExp(`user: ${user}\\b.*?permissions: (\\{.*?\\n {4}\\})`, 's').exec(page)?.[1];
  if (rights === undefined) throw new Error(`no rights of ${user} in docs/cluster.md`);
  return rights;
}

let streams = 0;

/** A stream of its own, with subjects below its name. */
async function stream(limits: object = {}): Promise<string> {
  const name = `S${++streams}`;
  await manager.streams.add({ name, subjects: [`${name}.>`], ...limits });
  return name;
}

const stored = async (name: string): Promise<number> => (await manager.streams.info(name)).state.messages;

const retries = { delay: 20, max_delay: 100, max_jitter: 0, max_retries: -1 };

async function output(name: string | null, more: Partial<NatsWriterOptions> = {}): Promise<{ writer: NatsWriter; said: string[] }> {
  const said: string[] = [];
  const writer = await NatsWriter.open({
    servers: server.at(),
    stream: name,
    subject: `${name}.{Hostname}.{Type}`,
    edge: 'edge1',
    name: 'up',
    folder: null,
    retries,
    onProblem: (text) => said.push(text),
    ...more,
  });
  cleanups.push(() => {
    writer.closing();
    return writer.close();
  });
  return { writer, said };
}

async function input(name: string | null, more: Partial<NatsInputOptions> = {}): Promise<{ sink: TestSink; input: NatsInput }> {
  const options = { name: 'in', servers: server.at(), stream: name, durable: 'lake', subject: `${name}.>`, retries };
  const made = new NatsInput({ ...options, ...more });
  const sink = new TestSink();
  await made.start(sink);
  cleanups.push(() => made.stop());
  return { sink, input: made };
}

const message = (payload: string, more: Partial<Message> = {}): Message => ({
  uuid: new Uint8Array(16).fill(payload.length),
  timestamp: 5n,
  type: 'nginx.access',
  hostname: 'web1',
  payload,
  fields: [{ name: 'status', valueType: 2, values: [200n] }],
  ...more,
});
const noise = (length: number): string => Array.from({ length }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
const pieces = (...messages: readonly Message[]): Uint8Array[] => messages.map((each) => encodeMessage(each));
/** Of a disk buffer that keeps nothing. */
const NO_RECEIPT: Receipt = { taken: () => Promise.resolve(), mark: () => '' };
const unacknowledged = async (name: string): Promise<number> => (await manager.consumers.info(name, 'lake')).num_ack_pending;

describe('batches through a stream', () => {
  it('come out as they went in, and stay until everything downstream has them', async () => {
    const name = await stream();
    const { writer } = await output(name);
    const sent = [message('one'), message('two', { severity: 3, pid: 7 })];
    await writer.write(pieces(...sent));
    expect(await stored(name)).toBe(1);
    expect(writer.figures).toMatchObject({ SentBatchCount: 1, RepeatedBatchCount: 0, DropMessageCount: 0 });
    const { sink } = await input(name);
    sink.acknowledges = false;
    await until(() => sink.batches.length === 1);
    const batch = sink.batches[0]?.batch;
    expect([batch?.message(0), batch?.message(1)]).toEqual(sent);
    expect(sink.batches[0]?.source).toBe(`a batch of ${name}.web1.nginx_access from edge1`);
    expect(await unacknowledged(name)).toBe(1);
    sink.batches[0]?.acknowledge();
    await until(async () => (await unacknowledged(name)) === 0);
  });

  it('have subjects by their headers', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a'), message('b', { hostname: 'db 2.lan' }), message('c', { type: '*>' }), message('d')));
    const info = await manager.streams.info(name, { subjects_filter: '>' });
    expect(Object.keys(info.state.subjects ?? {}).sort()).toEqual([
      `${name}.db_2_lan.nginx_access`,
      `${name}.web1.__`,
      `${name}.web1.nginx_access`,
    ]);
  });

  it('are shared by the inputs of one consumer, and each is taken once', async () => {
    const name = await stream();
    const { writer } = await output(name);
    const [one, other] = [await input(name), await input(name)];
    for (let i = 0; i < 50; i++) await writer.write(pieces(message(String(i))));
    await until(() => one.sink.payloads.length + other.sink.payloads.length >= 50);
    const all = [...one.sink.payloads, ...other.sink.payloads].map(Number).sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it('go on where the last input stopped', async () => {
    const name = await stream();
    const { writer } = await output(name);
    const first = await input(name);
    await writer.write(pieces(message('a')));
    await until(() => first.sink.payloads.length === 1);
    await first.input.stop();
    await writer.write(pieces(message('b')));
    const second = await input(name);
    await until(() => second.sink.payloads.length > 0);
    expect(second.sink.payloads).toEqual(['b']);
  });

  it('are split to what the server takes, and what it never takes is told', async () => {
    const name = await stream();
    const { writer, said } = await output(name);
    const sent = Array.from({ length: 8 }, () => noise(20_000));
    await writer.write(pieces(...sent.map((text) => message(text)), message(noise(200_000))));
    expect(await stored(name)).toBeGreaterThan(2);
    expect(said).toEqual([expect.stringMatching(/^a message is lost: it takes \d+ bytes, and the server takes \d+$/)]);
    const { sink } = await input(name);
    await until(() => sink.payloads.length === 8);
    expect(sink.payloads).toEqual(sent);
  });

  it('are halved when a stream takes no batch of this size', async () => {
    const name = await stream({ max_msg_size: 8_192 });
    const { writer, said } = await output(name);
    const sent = Array.from({ length: 8 }, () => noise(3_000));
    await writer.write(pieces(...sent.map((text) => message(text)), message(noise(20_000))));
    expect(await stored(name)).toBeGreaterThan(3);
    expect(said).toEqual([expect.stringMatching(/^a message is lost: it takes \d+ bytes, and stream S\d+ takes no message of this size$/)]);
    const { sink } = await input(name);
    await until(() => sink.payloads.length === 8);
    expect(sink.payloads).toEqual(sent);
  });

  it('have names of any kind', async () => {
    const name = await stream();
    const { writer, said } = await output(name, {
      edge: 'Kölner Tür/1 😀'.padEnd(100, 'ü'),
      name: 'a b\r\nc',
      subject: `${name}.{Logger}.{Type}`,
    });
    const odd = ['', ' ', '.', '*', '>', 'a.b c', '\u0000\u007f', 'ü😀\u2028\ufeff', '$JS.API.INFO', 'x'.repeat(99) + '😀', '_INBOX.>'];
    await writer.write(pieces(...odd.map((logger) => message(logger, { logger }))));
    const { sink } = await input(name);
    await until(() => sink.payloads.length === odd.length);
    expect(new Set(sink.payloads)).toEqual(new Set(odd));
    expect(said).toEqual([]);
    const [edge] = (await fleetOf(connection)).find((each) => each.name === name)?.edges ?? [];
    expect(edge?.name).toBe('Kölner Tür/1 😀'.padEnd(100, 'ü'));
  });

  it('come once, when an edge was killed before it knew that the stream had them', async () => {
    const name = await stream();
    const folder = mkdtempSync(join(tmpdir(), 'sluicebox-outbox-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const receipt: Receipt = { ...NO_RECEIPT, mark: (count) => `mark ${count}` };
    const first = await output(name, { folder });
    const { writer } = first;
    await writer.write(pieces(message('a')), receipt);
    // As left by a process that was killed before the answer of the stream: the batch in the outbox.
    const info = await manager.streams.getMessage(name, { last_by_subj: `${name}.web1.nginx_access` });
    const id = info?.header.get('Nats-Msg-Id') ?? '';
    const atPublish = JSON.stringify({
      mark: 'mark 1',
      batches: [{ subject: `${name}.web1.nginx_access`, id, sequence: 1, body: Buffer.from(info?.data ?? []).toString('base64') }],
    });
    await writer.close();
    writeFileSync(join(folder, 'published'), atPublish);
    const second = await output(name, { folder });
    expect(second.writer.resumedAt).toBe('mark 1');
    await until(() => second.writer.figures['SentBatchCount'] === 1);
    await second.writer.write(pieces(message('b')), receipt);
    expect(second.writer.figures).toMatchObject({ SentBatchCount: 2, RepeatedBatchCount: 1 });
    expect(await stored(name)).toBe(2);
    expect(JSON.parse(readFileSync(join(folder, 'published'), 'utf8'))).toEqual({ mark: 'mark 1', batches: [] });
  });
});

describe('watching a stream', () => {
  it('takes nothing from those who share its work, and begins where it is told', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('before')));
    const worker = await input(name);
    await until(() => worker.sink.payloads.length === 1);
    const begun = Date.now();
    const all = await input(name, { durable: '', start: 'begin' });
    const fresh = await input(name, { durable: '', start: 'end' });
    const later = await input(name, { durable: '', start: begun });
    const own = async (): Promise<number> => (await manager.streams.info(name)).state.consumer_count;
    // That of the worker is the fourth.
    await until(async () => (await own()) === 4);
    await writer.write(pieces(message('after')));
    await until(
      () => [worker, all].every(({ sink }) => sink.payloads.length === 2) && [fresh, later].every(({ sink }) => sink.payloads.length === 1),
    );
    expect([worker.sink.payloads, all.sink.payloads]).toEqual([
      ['before', 'after'],
      ['before', 'after'],
    ]);
    expect([fresh.sink.payloads, later.sink.payloads]).toEqual([['after'], ['after']]);
    await until(async () => (await unacknowledged(name)) === 0);
  });

  it('goes on behind what it had when its consumer is gone', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a')));
    const { sink } = await input(name, { durable: '' });
    await until(() => sink.payloads.length === 1);
    for await (const { name: consumer } of manager.consumers.list(name)) await manager.consumers.delete(name, consumer);
    await writer.write(pieces(message('b')));
    await until(() => sink.payloads.length === 2);
    expect(sink.payloads).toEqual(['a', 'b']);
  });
});

describe('a durable consumer that is deleted while an input reads', () => {
  it('is made again, and nothing is lost', async () => {
    const name = await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a')));
    const { sink } = await input(name);
    await until(() => sink.payloads.includes('a'));
    await manager.consumers.delete(name, 'lake');
    await writer.write(pieces(message('b')));
    await until(() => sink.payloads.includes('b'));
    // It has begun anew.
    await until(async () => {
      const { num_pending, num_ack_pending } = await manager.consumers.info(name, 'lake');
      return num_pending + num_ack_pending === 0;
    });
    expect(sink.payloads).toEqual(['a', 'a', 'b']);
    expect(sink.codes).toEqual(['source.away', 'source.back']);
  });
});

describe('a stream that is made anew', () => {
  it('is watched from its beginning', async () => {
    const name = await stream();
    const { writer } = await output(name);
    for (const text of ['a', 'b', 'c']) await writer.write(pieces(message(text)));
    const { sink } = await input(name, { durable: '' });
    await until(() => sink.payloads.length === 3);
    // The server may be at work in the folder of the stream.
    await until(async () => {
      await manager.streams.delete(name).catch((error: unknown) => {
        if (!/not found/.test(String(error))) throw error;
      });
      await manager.streams.add({ name, subjects: [`${name}.>`] });
      return true;
    });
    await writer.write(pieces(message('d')));
    await until(() => sink.payloads.length === 4);
    expect(sink.payloads).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('a fleet', () => {
  it('is shown with its streams, readers and edges, and how far they are', async () => {
    const name = await stream();
    const of = async (): Promise<FleetStream | undefined> => (await fleetOf(connection)).find((each) => each.name === name);
    expect(await of()).toMatchObject({ subjects: [`${name}.>`], batches: 0, lastMs: 0, consumers: [], edges: [] });
    const { sink, input: worker } = await input(name);
    await until(async () => ((await of())?.consumers.length ?? 0) > 0);
    await worker.stop();
    const web = await output(name, { edge: 'web1' });
    const db = await output(name, { edge: 'db1' });
    await web.writer.write(pieces(message('a'), message('b', { type: 'other' })));
    await web.writer.write(pieces(message('c')), { ...NO_RECEIPT, waiting: () => 12_345 });
    await db.writer.write(pieces(message('d', { hostname: 'db1' })));
    const fleet = await of();
    expect(fleet).toMatchObject({
      batches: 4,
      consumers: [{ name: 'lake', waiting: 4, unacknowledged: 0, acknowledged: 0 }],
      edges: [
        { name: 'db1', batches: 1, position: 4, waiting: null, subjects: [`${name}.db1.nginx_access`] },
        { name: 'web1', batches: 3, position: 3, waiting: 12_345 },
      ],
    });
    expect(fleet?.edges[1]?.subjects).toHaveLength(2);
    expect(Math.abs((fleet?.edges[0]?.lastMs ?? 0) - Date.now())).toBeLessThan(600_000);
    const { sink: reader } = await input(name);
    await until(async () => {
      const [consumer] = (await of())?.consumers ?? [];
      return consumer?.waiting === 0 && consumer.unacknowledged === 0 && consumer.acknowledged === 4;
    });
    expect([...sink.payloads, ...reader.payloads].sort()).toEqual(['a', 'b', 'c', 'd']);
    // It leaves no consumer behind.
    expect((await manager.streams.info(name)).state.consumer_count).toBe(1);
  });
});

describe('what goes wrong', () => {
  it('garbage on the subject is told, and never comes again', async () => {
    const name = await stream();
    connection.publish(`${name}.x`, 'no batch');
    connection.publish(`${name}.x`, Buffer.concat([await encodeBatch(pieces(message('a'))), Buffer.from('x')]).subarray(0, 30));
    await connection.flush();
    const { writer } = await output(name);
    await writer.write(pieces(message('fine')));
    const { sink } = await input(name);
    await until(() => sink.payloads.includes('fine'));
    expect(sink.codes).toEqual(['batch.damaged', 'batch.damaged']);
    expect(sink.notices[0]?.text).toMatch(/^Input in cannot read a batch of \S+\.x: it is not a batch of messages\. Whoever publishes/);
    await until(async () => (await unacknowledged(name)) === 0);
  });

  it('a batch of a newer version is told, and kept for newer programs', async () => {
    const name = await stream();
    const batch = await encodeBatch(pieces(message('a')));
    batch[3] = 2;
    connection.publish(`${name}.x`, batch);
    await connection.flush();
    const { sink } = await input(name);
    await until(() => sink.codes.length > 0);
    expect(sink.codes).toEqual(['batch.newer']);
    expect(sink.payloads).toEqual([]);
    expect(await unacknowledged(name)).toBe(1);
  });

  it('an output waits for a stream that is missing or full', async () => {
    const missing = await output(`S${streams + 1}`);
    const written = missing.writer.write(pieces(message('a')));
    await until(() => missing.said.length > 0);
    const name = await stream({ max_msgs: 1, discard: 'new' });
    await written;
    expect(missing.said).toEqual([expect.stringMatching(/^cannot be delivered to .* does not take S\d+\.web1/), 'is delivered to again']);
    const second = missing.writer.write(pieces(message('b')));
    await until(() => missing.said.length > 2);
    expect(missing.said[2]).toMatch(/maximum messages exceeded/);
    await manager.streams.purge(name);
    await second;
    expect(await stored(name)).toBe(1);
  });

  it('an input waits for a stream that is missing', async () => {
    const name = `S${streams + 1}`;
    const { sink } = await input(name);
    await until(() => sink.codes.includes('source.away'));
    await stream();
    const { writer } = await output(name);
    await writer.write(pieces(message('a')));
    await until(() => sink.payloads.length === 1);
    expect(sink.codes).toEqual(['source.away', 'source.back']);
  });

  it('what waits at the stop is not delivered, and the stop does not hang', async () => {
    const { writer } = await output('NONE');
    const written = writer.write(pieces(message('a')));
    written.catch(() => undefined);
    writer.closing();
    await expect(written).rejects.toBeInstanceOf(NotDeliveredError);
  });
});

describe('a server', () => {
  it('that goes away is waited for by both sides, and nothing is lost', async () => {
    const own = new NatsServer();
    cleanups.push(() => own.close());
    await own.start();
    const watch = await connect({ servers: [`127.0.0.1:${own.port}`] });
    const { streams: made } = await jetstreamManager(watch);
    await made.add({ name: 'LOGS', subjects: ['LOGS.>'] });
    await watch.close();
    const { writer, said } = await output('LOGS', { servers: own.at() });
    const { sink } = await input('LOGS', { servers: own.at(), subject: 'LOGS.>' });
    await writer.write(pieces(message('before')));
    await until(() => sink.payloads.length === 1);
    await own.stop();
    const written = writer.write(pieces(message('meanwhile')));
    await until(() => said.length > 0);
    await own.start();
    await written;
    await until(() => sink.payloads.includes('meanwhile'));
    expect(sink.payloads).toEqual(['before', 'meanwhile']);
  });

  it('that asks for a password lets nobody in without, and says so', async () => {
    const own = new NatsServer();
    cleanups.push(() => own.close());
    await own.start(`authorization { user: "edge", password: "${PASSWORD}" }`);
    const wrong = own.at({ user: { name: 'edge', password: 'wrong' } });
    const refused = await output(null, { servers: wrong, subject: 'live' });
    refused.writer.write(pieces(message('a'))).catch(() => undefined);
    const deaf = await input(null, { servers: wrong, subject: 'live' });
    await until(() => refused.said.length > 0 && deaf.sink.notices.length > 0);
    expect(refused.said[0]).toMatch(/no connection to 127\.0\.0\.1:\d+: the login is refused$/);
    expect(deaf.sink.notices[0]?.text).toMatch(/^Input in gets nothing and tries again: no connection to .*: the login is refused\.$/);
    const right = own.at({ user: { name: 'edge', password: PASSWORD } });
    const { writer } = await output(null, { servers: right, subject: 'live' });
    await writer.write(pieces(message('a')));
  });

  it('that takes smaller messages than before gets them in halves', async () => {
    const own = new NatsServer();
    cleanups.push(() => own.close());
    await own.start();
    const watch = await connect({ servers: [`127.0.0.1:${own.port}`], maxReconnectAttempts: -1, reconnectTimeWait: 50 });
    cleanups.push(() => watch.close());
    const watched = await jetstreamManager(watch);
    await watched.streams.add({ name: 'LOGS', subjects: ['LOGS.>'], max_msgs: 1, discard: DiscardPolicy.New });
    const { writer, said } = await output('LOGS', { servers: own.at() });
    await writer.write(pieces(message('fills it')));
    const sent = Array.from({ length: 8 }, () => noise(3_000));
    const written = writer.write(pieces(...sent.map((text) => message(text))));
    await until(() => said.length > 0);
    await own.stop();
    await own.start('max_payload: 8192');
    await until(async () => {
      await watched.streams.update('LOGS', { max_msgs: -1 });
      return true;
    });
    await written;
    const { sink } = await input('LOGS', { servers: own.at(), subject: 'LOGS.>' });
    await until(() => sink.payloads.length === 9);
    expect(sink.payloads).toEqual(['fills it', ...sent]);
    expect(said.filter((text) => /lost/.test(text))).toEqual([]);
  });

  it('that denies a subject says so, and what may be published goes through', async () => {
    const own = new NatsServer();
    cleanups.push(() => own.close());
    const may = 'publish: { deny: ["live.secret", "$JS.ACK.>"] }, subscribe: { deny: ["hidden.>"] }';
    await own.start(`authorization { users: [{ user: "edge", password: "p", permissions: { ${may} } }, { user: "all", password: "p" }] }`);
    const servers = own.at({ user: { name: 'edge', password: 'p' } });
    const live = await output(null, { servers, subject: 'live.{Hostname}' });
    await live.writer.write(pieces(message('a')));
    const kept = live.writer.write(pieces(message('b', { hostname: 'secret' })));
    kept.catch(() => undefined);
    await until(() => live.said.length > 0);
    expect(live.said).toEqual([expect.stringMatching(/this user may not publish to live\.secret$/)]);
    const deaf = await input(null, { servers, subject: 'hidden.>' });
    await until(() => deaf.sink.codes.includes('source.away'));
    expect(deaf.sink.notices.find(({ code }) => code === 'source.away')?.text).toMatch(/this user may not listen to hidden\.>\.$/);
    const all = own.at({ user: { name: 'all', password: 'p' } });
    const watch = await connect({ servers: [`127.0.0.1:${own.port}`], user: 'all', pass: 'p' });
    cleanups.push(() => watch.close());
    await (await jetstreamManager(watch)).streams.add({ name: 'LOGS', subjects: ['LOGS.>', 'live.>'] });
    const denied = await output('LOGS', { servers, subject: 'live.secret' });
    denied.writer.write(pieces(message('c'))).catch(() => undefined);
    await until(() => denied.said.length > 0);
    expect(denied.said[0]).toMatch(/does not take live\.secret: this user may not publish to live\.secret$/);
    await (await output('LOGS', { servers: all, subject: 'LOGS.x' })).writer.write(pieces(message('d')));
    const { sink } = await input('LOGS', { servers, subject: 'LOGS.>' });
    await until(() => sink.codes.includes('source.denied'));
    expect(sink.notices.find(({ code }) => code === 'source.denied')?.text).toMatch(/^Input in: this user may not publish to \$JS\.ACK\./);
  });

  it('needs to permit no more than the documented rights', async () => {
    const own = new NatsServer();
    cleanups.push(() => own.close());
    const users = ['edge', 'worker', 'desk', 'watcher'].map(
      (user) => `{ user: "${user}", password: "p", permissions: ${documentedRights(user)} }`,
    );
    await own.start(`authorization { users: [${users.join(', ')}, { user: "all", password: "p" }] }`);
    const as = (name: string): Partial<NatsInputOptions & NatsWriterOptions> => ({ servers: own.at({ user: { name, password: 'p' } }) });
    const watch = await connect({ servers: [`127.0.0.1:${own.port}`], user: 'all', pass: 'p' });
    cleanups.push(() => watch.close());
    await (await jetstreamManager(watch)).streams.add({ name: 'LOGS', subjects: ['logs.>'] });
    const worker = await input('LOGS', { ...as('worker'), subject: 'logs.>' });
    const desk = await input(null, { ...as('desk'), subject: 'logs.>' });
    const watcher = await input('LOGS', { ...as('watcher'), durable: '', subject: 'logs.>' });
    const edge = await output('LOGS', { ...as('edge'), subject: 'logs.{Hostname}.{Type}' });
    const sinks = [worker, desk, watcher].map(({ sink }) => sink);
    // Until the desk listens, nothing is kept for it.
    await until(
      async () => {
        await edge.writer.write(pieces(message('a')));
        return sinks.every(({ payloads }) => payloads.length > 0);
      },
      () => JSON.stringify(sinks.map(({ payloads, notices }) => ({ came: payloads.length, notices }))),
    );
    const jetstreamOfAll = await jetstreamManager(watch);
    await until(async () => {
      const { num_pending, num_ack_pending } = await jetstreamOfAll.consumers.info('LOGS', 'lake');
      return num_pending + num_ack_pending === 0;
    });
    expect(edge.said).toEqual([]);
    expect(sinks.flatMap(({ notices }) => notices)).toEqual([]);
    const live = await output(null, { ...as('edge'), subject: 'logs.live' });
    await live.writer.write(pieces(message('b')));
    await until(() => desk.sink.payloads.includes('b'));
    expect(live.said).toEqual([]);
  });

  it('that asks for an nkey and TLS is logged in to', async () => {
    const own = new NatsServer();
    cleanups.push(() => own.close());
    const key = nkeys.createUser();
    const files = { cert: join(TLS, 'server.crt'), key: join(TLS, 'server.key') };
    const folder = mkdtempSync('/tmp/sluicebox-nats-tls-');
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const copies = new ServerFolder();
    cleanups.push(() => copies.close());
    const [cert, secret] = Object.entries(files).map(([name, path]) => copies.file(`${name}.pem`, readFileSync(path, 'utf8')));
    await own.start(`tls { cert_file: "${cert}", key_file: "${secret}" }\nauthorization { users: [{ nkey: "${key.getPublicKey()}" }] }`);
    const login = {
      nkey: key.getSeed(),
      needsTls: true,
      tls: { ca: readFileSync(join(TLS, 'server.crt'), 'utf8'), rejectUnauthorized: true, servername: 'localhost' },
    };
    const { writer } = await output(null, { servers: own.at(login), subject: 'live' });
    await writer.write(pieces(message('a')));
    const unsure = await output(null, { servers: own.at({ ...login, tls: { rejectUnauthorized: true } }), subject: 'live' });
    unsure.writer.write(pieces(message('a'))).catch(() => undefined);
    await until(() => unsure.said.length > 0);
    expect(unsure.said[0]).toMatch(/certificate/);
  });
});

describe('without a stream', () => {
  it('who listens gets what is published', async () => {
    const { sink, input: listening } = await input(null, { subject: 'live.>' });
    const { writer } = await output(null, { subject: 'live.{Hostname}' });
    // Until the input listens, nothing is kept for it.
    await until(async () => {
      await writer.write(pieces(message('a')));
      return sink.payloads.length > 0;
    });
    expect(new Set(sink.payloads)).toEqual(new Set(['a']));
    expect(listening.figures()).toMatchObject({ RefusedBatchCount: 0, LostBatchCount: 0 });
  });
});
