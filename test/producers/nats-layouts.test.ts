/** Larger clusters, set up as docs/cluster.md says. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../ports.ts';
import { until } from '../until.ts';
import { message, natsBench, pieces } from './support/nats-bench.ts';
import { NatsServer } from './support/nats-server.ts';
import { installed, reachable, ServerFolder } from './support/server.ts';

const { cleanups, input, output } = natsBench();
const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'cluster.md'), 'utf8');

/** Settings of servers in the documentation. */
function documented(begin: string): string {
  const block = page.split('```').find((text) => text.trim().startsWith(begin));
  if (block === undefined) throw new Error(`nothing in docs/cluster.md begins with ${begin}`);
  return block.trim();
}

async function serverWith(config: string): Promise<NatsServer> {
  const server = new NatsServer();
  cleanups.push(() => server.close());
  await server.start(config);
  const connection = await connect({ servers: [`127.0.0.1:${server.port}`] });
  await (await jetstreamManager(connection)).streams.add({ name: 'LOGS', subjects: ['logs.>'] });
  await connection.close();
  return server;
}

it('a mapping brings all messages of a host to one worker', async () => {
  const server = await serverWith(documented('mappings ='));
  const hosts = Array.from({ length: 24 }, (_, i) => `web${i}`);
  const { writer, said } = await output('LOGS', { servers: server.at(), subject: 'edges.{Hostname}.{Type}' });
  for (const type of ['a', 'b']) await writer.write(pieces(...hosts.map((hostname) => message(hostname, { hostname, type }))));
  const workers = await Promise.all(
    [0, 1, 2, 3].map((part) => input('LOGS', { servers: server.at(), durable: `filters-${part}`, subject: `logs.${part}.>` })),
  );
  await until(() => workers.reduce((sum, { sink }) => sum + sink.payloads.length, 0) === 2 * hosts.length);
  const onWorker = workers.map(({ sink }) => [...new Set(sink.payloads)]);
  expect(onWorker.flat().toSorted()).toEqual(hosts.toSorted());
  expect(onWorker.every((some) => some.length > 0)).toBe(true);
  expect(said).toEqual([]);
});

it('the edges of a site publish by its leaf node', async () => {
  const port = await freePort();
  const local = (text: string, at: number): string => text.replace(/"0\.0\.0\.0:\d+"/, `"127.0.0.1:${at}"`);
  const server = await serverWith(local(documented('leafnodes {'), port).replace(/, tls \{.*?\}/, ''));
  const leaf = new ServerFolder();
  cleanups.push(() => leaf.close());
  const leafPort = await freePort();
  const config = local(documented('listen:'), leafPort).replace(/urls: \[.*?\], credentials: "[^"]*"/, `url: "nats://127.0.0.1:${port}"`);
  await leaf.start(installed('usr/sbin/nats-server'), ['-c', leaf.file('leaf.conf', `${config}\n`)], () => reachable(leafPort));
  const { writer } = await output('LOGS', {
    servers: { ...server.at(), addresses: [`127.0.0.1:${leafPort}`] },
    subject: 'logs.{Hostname}',
  });
  await writer.write(pieces(message('from the site')));
  const { sink } = await input('LOGS', { servers: server.at(), subject: 'logs.>' });
  await until(() => sink.payloads.length === 1);
  expect(sink.payloads).toEqual(['from the site']);
});
