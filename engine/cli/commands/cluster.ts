import type { FleetStream } from '../../api/fleet-types.ts';
import { printableJson, printableLine } from '../../api/printable.ts';
import { formatBytes } from '../../api/quantities.ts';
import { EngineError, messageOf } from '../../base/errors.ts';
import { loadConfig } from '../../config/load.ts';
import { formatProblem } from '../../config/problems.ts';
import { NatsLink, type NatsServers } from '../../nats/connection.ts';
import { fleetOf } from '../../nats/fleet.ts';
import { healthOf, type EdgeHealth, type ReaderHealth, type StreamHealth } from '../../nats/fleet-health.ts';
import { givenServers, serversOf } from '../../nats/parameters.ts';
import { Exit, UsageError, type Command, type CommandContext } from '../command.ts';
import { parseArguments, parseCount } from '../settings.ts';

const help = `Usage: sluicebox cluster status [OPTIONS] [CONFIG]

Prints the streams of a cluster of NATS, how far their readers are, and the edges with the time of their last batch. Nothing is taken from the
streams. Something that is beyond a bound is also told on standard error. The exit code is 0 when nothing is, 1 when something is, and 2 when no server
answers. CONFIG is a configuration of an edge or a worker: its first NatsInput or NatsOutput says which servers there are and how to log in.

      --servers HOST:PORT[,HOST:PORT…]
                            the servers, in place of CONFIG (127.0.0.1:4222)
      --credentials FILE    a file of credentials, for servers that ask for them
      --stream NAME         only this stream
      --lag N               batches that a reader may have before it, waiting or not acknowledged (10000)
      --dead SECONDS        time without a batch after which an edge is dead (300)
      --gone SECONDS        time after which an edge that is dead counts as taken away, and is no problem any more (86400)
      --json                prints one JSON object: the streams with their readers and edges, and the problems
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  servers: text,
  credentials: text,
  stream: text,
  lag: { ...text, default: '10000' },
  dead: { ...text, default: '300' },
  gone: { ...text, default: '86400' },
  json: { type: 'boolean', default: false },
} as const;

export const cluster: Command = {
  help,
  failed: Exit.trouble,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, OPTIONS);
    const [action, config, ...more] = positionals;
    if (action !== 'status') throw new UsageError('cluster needs status.');
    if (more.length > 0) throw new UsageError('cluster status takes one configuration.');
    const isGiven = values.servers !== undefined || values.credentials !== undefined;
    if (config !== undefined && isGiven)
      throw new UsageError('the configuration says which servers there are: there is no --servers then.');
    const [lag, dead, gone] = (['lag', 'dead', 'gone'] as const).map((name) => parseCount(`--${name}`, values[name])) as [
      number,
      number,
      number,
    ];
    const servers =
      config === undefined
        ? givenServers(values.servers?.split(',') ?? ['127.0.0.1:4222'], values.credentials)
        : await serversIn(config, context);
    const streams = await look(servers, values.stream);
    const nowMs = Date.now();
    const { streams: judged, problems } = healthOf(streams, nowMs, { lag, deadMs: dead * 1000, goneMs: gone * 1000 });
    if (values.json) context.out.add(`${printableJson(JSON.stringify({ streams: judged, problems }))}\n`);
    else for (const stream of judged) for (const line of linesOf(stream, nowMs)) context.out.add(`${printableLine(line)}\n`);
    for (const problem of problems) context.complain(printableLine(problem));
    return problems.length > 0 ? Exit.failed : Exit.ok;
  },
};

/** The servers of the first section of NATS. */
async function serversIn(path: string, { complain }: CommandContext): Promise<NatsServers> {
  const { config, problems } = await loadConfig(path);
  for (const problem of problems) complain(formatProblem(problem));
  for (const section of [...config.inputs, ...config.outputs])
    if (section.type === 'NatsInput' || section.type === 'NatsOutput') return serversOf(section);
  throw new EngineError('fleet.away', `${path} has no NatsInput and no NatsOutput that says which servers there are`);
}

async function look(servers: NatsServers, only: string | undefined): Promise<readonly FleetStream[]> {
  const link = new NatsLink(servers, 'sluicebox cluster status');
  try {
    const streams = await fleetOf(await link.open(), only);
    if (only !== undefined && streams.length === 0) throw new Error(`there is no stream ${only}`);
    return streams;
  } catch (error) {
    throw new EngineError('fleet.away', messageOf(error), { cause: error });
  } finally {
    await link.close();
  }
}

function* linesOf(stream: StreamHealth, nowMs: number): Iterable<string> {
  const { name, subjects, batches, bytes, firstMs, lastMs, readers, edges } = stream;
  const times = batches === 0 ? '' : `, from ${timeOf(firstMs)} to ${timeOf(lastMs)}`;
  yield `stream ${name} of ${subjects.join(', ')}: ${batches} batches, ${formatBytes(bytes)}${times}`;
  for (const reader of readers) yield readerLine(reader);
  for (const edge of edges) yield edgeLine(edge, nowMs);
}

const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

const readerLine = ({ name, waiting, unacknowledged, isLate }: ReaderHealth): string =>
  `  reader ${name}: ${isLate ? 'late, ' : ''}${waiting} batches wait, ${unacknowledged} are not acknowledged`;

const edgeLine = ({ name, state, lastMs, waiting }: EdgeHealth, nowMs: number): string =>
  `  edge ${name}: ${state}, last batch ${Math.max(0, Math.round((nowMs - lastMs) / 1000))} s ago` +
  `${waiting === null ? '' : `, ${formatBytes(waiting)} wait there`}`;
