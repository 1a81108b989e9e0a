/** What goes wrong between a real server of NATS and its inputs and outputs. */
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, nkeys } from '@nats-io/transport-node';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NatsInputOptions } from '../../engine/inputs/nats/nats-input.ts';
import { fleetOf } from '../../engine/nats/fleet.ts';
import { encodeBatch } from '../../engine/nats/batch.ts';
import { NotDeliveredError } from '../../engine/outputs/delivery.ts';
import type { NatsWriterOptions } from '../../engine/outputs/nats/nats-writer.ts';
import { until } from '../until.ts';
import { NatsServer } from './support/nats-server.ts';
import { ServerFolder } from './support/server.ts';
import { message, natsBench, noise, pieces } from './support/nats-bench.ts';

const TLS = join(import.meta.dirname, '..', 'fixtures', 'tls');
const PASSWORD = 'a secret';

/** The permissions of a user in the documentation. */
function documentedRights(user: string): string {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'cluster.md'), 'utf8');
  const rights = new RegExp(`user: ${user}\\b.*?permissions: (\\{.*?\\n {4}\\})`, 's').exec(page)?.[1];
  if (rights === undefined) throw new Error(`no rights of ${user} in docs/cluster.md`);
  return rights;
}

const { cleanups, stream, nextStream, stored, output, input, unacknowledged, connection, manager } = natsBench();

describe('what goes wrong', () => {
  it('garbage on the subject is told, and never comes again', async () => {
    const name = await stream();
    connection().publish(`${name}.x`, 'no batch');
    connection().publish(`${name}.x`, Buffer.concat([await encodeBatch(pieces(message('a'))), Buffer.from('x')]).subarray(0, 30));
    await connection().flush();
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
    batch[3] = 9;
    connection().publish(`${name}.x`, batch);
    await connection().flush();
    const { sink } = await input(name);
    await until(() => sink.codes.length > 0);
    expect(sink.codes).toEqual(['batch.newer']);
    expect(sink.payloads).toEqual([]);
    expect(await unacknowledged(name)).toBe(1);
  });

  it('an output waits for a stream that is missing or full', async () => {
    const missing = await output(nextStream());
    const written = missing.writer.write(pieces(message('a')));
    await until(() => missing.said.length > 0);
    const name = await stream({ max_msgs: 1, discard: 'new' });
    await written;
    expect(missing.said).toEqual([expect.stringMatching(/^cannot be delivered to .* does not take S\d+\.web1/), 'is delivered to again']);
    const second = missing.writer.write(pieces(message('b')));
    await until(() => missing.said.length > 2);
    expect(missing.said[2]).toMatch(/maximum messages exceeded/);
    await manager().streams.purge(name);
    await second;
    expect(await stored(name)).toBe(1);
  });

  it('an input waits for a stream that is missing', async () => {
    const name = nextStream();
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
    const users = ['edge', 'worker', 'desk', 'watcher', 'status'].map(
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
    const asked = await connect({ servers: [`127.0.0.1:${own.port}`], user: 'status', pass: 'p' });
    cleanups.push(() => asked.close());
    expect(await fleetOf(asked)).toMatchObject([{ name: 'LOGS', consumers: [{ name: 'lake' }], edges: [{ name: 'edge1' }] }]);
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
