/** Counts of filters on three machines, merged by a worker, and shown in the window of a fourth one. */
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startCommand, type RunningCommand } from '../engine/cli/start-command.ts';
import { Engine } from '../engine/workspace/engine-fixture.ts';
import { plainMessage } from '../plugins/support/message.ts';
import { parseGraph } from '../plugins/support/payloads.ts';
import { startPlugin } from '../plugins/support/sandbox.ts';
import { until } from '../until.ts';
import { NatsServer } from './support/nats-server.ts';

const EDGES = ['edge1', 'edge2', 'edge3'] as const;
/** So few that weights are exact. */
const VALUES = 300;
const TITLE = 'Users';
/** Of all records, so that they are of one day. */
const WRITTEN = new Date('2026-11-02T12:00:00Z');

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-sketches-'));
const server = new NatsServer();
const desk = new Engine(join(folder, 'desk'));
const services: RunningCommand[] = [];

/** Most values are seen by one machine, some by all. */
const valuesOf = (edge: number): string[] =>
  Array.from({ length: VALUES }, (_, i) => (i % 3 === 0 ? `shared ${i % 7}` : `user ${edge} ${i}`));

function logOf(edge: number): string {
  const path = join(folder, `${edge}.log`);
  writeFileSync(path, `${valuesOf(edge).join('\n')}\n`);
  utimesSync(path, WRITTEN, WRITTEN);
  return path;
}

/** Writes a configuration with a folder of its own; returns its path. */
function configuration(name: string, sections: string): string {
  const own = join(folder, name);
  mkdirSync(own);
  const path = join(own, 'service.toml');
  writeFileSync(path, `[svcd]\nbase_dir = ${JSON.stringify(own)}\nhostname = "${name}"\n${sections}`);
  return path;
}

const start = (name: string, sections: string): void => void services.push(startCommand(['run', configuration(name, sections)]));
const said = (): string => services.map((service) => service.err()).join('');

const read = (...logs: readonly string[]): string => `[log]\ntype = "FileInput"\npaths = ${JSON.stringify(logs)}\n`;

/** The filters of a machine. */
const counting = (config: string): string =>
  [
    ['unique', 'unique_items', `title = "${TITLE}", rows = 5`],
    ['frequent', 'frequent_items', `max_items = 1000, min_output_weight = 0, reset_days = 0`],
  ]
    .map(
      ([name, script, own]) =>
        `[${name}]\ntype = "SandboxFilter"\nfilename = "${script}"\nticker_interval = 1\nmessage_matcher = "Type == 'logfile'"\n` +
        `config = { message_variable = "Payload", ${own}${config} }\n`,
    )
    .join('');

const to = (stream: string, matcher: string): string =>
  `[up]\ntype = "NatsOutput"\nservers = ["127.0.0.1:${server.port}"]\nstream = "${stream}"\nsubject = "${stream}.{Hostname}.{Logger}"\n` +
  `message_matcher = "${matcher}"\n`;

/** The worker that merges what the machines put out, for all of them and for each. */
const merging = (): string =>
  `[sketches]\ntype = "NatsInput"\nservers = ["127.0.0.1:${server.port}"]\nstream = "SKETCHES"\nsubject = "SKETCHES.>"\ndurable = "merge"\n` +
  ['all', 'each']
    .map(
      (name) =>
        `[${name}]\ntype = "SandboxFilter"\nfilename = "sketch_aggregator"\nticker_interval = 1\nmessage_matcher = "Fields[payload_type] == 'sketch'"\n` +
        `config = { by_host = ${name === 'each'} }\n`,
    )
    .join('') +
  to('GRAPHS', "Logger == 'all' || Logger == 'each'");

/** The users that a filter counts which gets these values. */
function estimated(values: readonly string[]): number {
  const filter = startPlugin('filters/unique_items.ts', { message_variable: 'Payload', title: TITLE, rows: 5 });
  for (const value of values) filter.process(plainMessage({ Timestamp: WRITTEN.getTime() * 1e6, Payload: value }));
  const [graph] = filter.timer(BigInt(WRITTEN.getTime()) * 1_000_000n).injected;
  const last = parseGraph(graph?.Payload ?? '').rows.at(-1);
  return Number(last?.[0]);
}

/** The users by the graphs that the desk shows, by plugin and title. */
const shownUsers = (): Record<string, number> =>
  Object.fromEntries(
    desk.workspace.payloads.graphs().map(({ plugin, title, columns }) => [`${plugin}: ${title}`, columns[0]?.values.at(-1) ?? NaN]),
  );

/** The weights by the lists that the desk shows, by plugin, heaviest first. */
const shownWeights = (plugin: string): readonly (readonly [string, number])[] =>
  desk.workspace.payloads
    .items()
    .filter((table) => table.plugin === plugin)
    .flatMap(({ items }) => items.map(({ item, weight }) => [item, weight] as const));

/** How often each value comes, the most frequent first, and by name. */
function weights(values: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

beforeAll(async () => {
  await server.start();
  const connection = await connect({ servers: [`127.0.0.1:${server.port}`] });
  const { streams } = await jetstreamManager(connection);
  for (const name of ['SKETCHES', 'GRAPHS']) await streams.add({ name, subjects: [`${name}.>`] });
  await connection.close();
});
afterAll(async () => {
  await Promise.all(services.map((service) => service[Symbol.asyncDispose]()));
  await desk.stop();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('sketches of three machines', () => {
  it('are at a fourth one what a filter over all records says, and by host what that of each host says', async () => {
    for (const [i, edge] of EDGES.entries())
      start(edge, read(logOf(i)) + counting(', enable_sketch = true') + to('SKETCHES', "Fields[payload_type] == 'sketch'"));
    start('worker', merging());
    const address = { servers: `127.0.0.1:${server.port}`, credentials: '' };
    await desk.ask('fleet.open', { ...address, stream: 'GRAPHS', start: 'begin' });
    const all = EDGES.flatMap((_, edge) => valuesOf(edge));
    const expected = {
      [`all of worker: ${TITLE}`]: estimated(all),
      ...Object.fromEntries(EDGES.map((edge, i) => [`each of worker: ${TITLE} (${edge})`, estimated(valuesOf(i))])),
    };
    await until(
      () => isDeepStrictEqual(shownUsers(), expected) && isDeepStrictEqual(shownWeights('all of worker'), weights(all)),
      () =>
        `${JSON.stringify(expected)}: there is ${JSON.stringify(shownUsers())}, and ${shownWeights('all of worker').length} values; ${said()}`,
    );
  });
});
