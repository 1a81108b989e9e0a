import { randomBytes } from 'node:crypto';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { EDGE_HEADER, encodeBatch, messagesOfBatch, SEQUENCE_HEADER, WAITING_HEADER } from '../engine/nats/batch.ts';
import type { Times } from './anchors/timed.ts';
import { decodeMessage, encodeMessage } from '../engine/message/protobuf/protobuf.ts';
import { generatedLog } from './logs.ts';
import { Programs, Server, type Published } from './nats-cluster.ts';
import { progress, type Benchmark, type Figure } from './report.ts';

/** Lines of the log whose batches are published again and again. */
const RECORDED_LINES = 100_000;
const LINES_PER_SECOND = 50;

/** A number of edges that write 50 lines a second each, and the `flush_interval` of each in seconds. */
interface Fleet {
  readonly edges: number;
  readonly seconds: number;
}

const FLEETS: readonly Fleet[] = [
  { edges: 100, seconds: 1 },
  { edges: 100, seconds: 20 },
  { edges: 10_000, seconds: 20 },
];

/** Workers that store what many edges publish which write little each. */
export const edgesBenchmark: Benchmark = {
  name: 'edges',
  title: 'Workers for many edges of 50 lines/s: their batches, published again, to Parquet (--lines N: so many in all)',
  async run({ lines }) {
    const server = await Server.start();
    try {
      const log = generatedLog('access', Math.min(lines, RECORDED_LINES));
      const programs = new Programs(server, log.path);
      progress('recording');
      await programs.edge();
      const recorded = await messagesIn(await server.messages());
      const figures: Figure[] = [];
      for (const fleet of FLEETS) figures.push(...(await measure(server, programs, fleet, recorded, lines)));
      return figures;
    } finally {
      await server.close();
    }
  },
};

/** The messages of batches, as if one edge had written them today: the log is of three days, and a file is of one hour. */
async function messagesIn(published: readonly Published[]): Promise<Uint8Array[]> {
  const messages: Uint8Array[] = [];
  for (const { body } of published)
    for (const message of await messagesOfBatch(body)) {
      const second = Math.floor(messages.length / LINES_PER_SECOND);
      messages.push(encodeMessage({ ...decodeMessage(message), timestamp: BEGIN + BigInt(second) * 1_000_000_000n }));
    }
  return messages;
}

const BEGIN = BigInt(Date.UTC(2026, 10, 30, 12)) * 1_000_000n;

async function measure(
  server: Server,
  programs: Programs,
  fleet: Fleet,
  recorded: readonly Uint8Array[],
  lines: number,
): Promise<Figure[]> {
  const { edges, seconds } = fleet;
  const size = LINES_PER_SECOND * seconds;
  const name = `${edges.toLocaleString('en')} edges, ${size} lines a batch`;
  progress(name);
  const bodies = await Promise.all(
    Array.from({ length: Math.floor(recorded.length / size) }, (_, i) => encodeBatch(recorded.slice(i * size, (i + 1) * size))),
  );
  const batches = Math.ceil(lines / size);
  const all = batches * size;
  await server.empty();
  const before = server.cpuSeconds();
  await server.publish(published(bodies, batches, edges));
  const publishing = server.cpuSeconds() - before;
  const { bytes } = await server.stored();
  const beforeOne = server.cpuSeconds();
  const start = await programs.startOfWorker(UNBUFFERED);
  const one = await programs.workers(1, all, UNBUFFERED);
  const delivering = server.cpuSeconds() - beforeOne;
  progress(`${name}, two workers`);
  const two = await programs.workers(2, all, UNBUFFERED);
  const bytesPerLine = bytes / all;
  const perLine = (cpuSeconds: number): number => (cpuSeconds * 1e6) / all;
  /** Of so many workers, without their starts: what matters when they run for days. */
  const running = ({ cpuSeconds }: Times, workers: number): number => perLine(cpuSeconds - workers * start);
  const perBatch = (cpuSeconds: number): string => `${((cpuSeconds * 1e6) / batches).toFixed(0)} µs a batch`;
  return [
    { what: `${name}: stored`, value: bytesPerLine, unit: 'bytes/line' },
    { what: 'server, from the edges', value: perLine(publishing), unit: 'µs/line', note: perBatch(publishing) },
    { what: 'server, to the worker', value: perLine(delivering), unit: 'µs/line', note: perBatch(delivering) },
    { what: 'worker', value: running(one, 1), unit: 'µs/line', note: `${one.files} files; its start takes ${start.toFixed(1)} s` },
    {
      what: 'two workers',
      value: running(two, 2),
      unit: 'µs/line',
      note: `${((2 * running(one, 1)) / running(two, 2)).toFixed(2)} times one by processor time, ${two.files} files`,
    },
    ...planOf(fleet, { bytesPerLine, worker: running(two, 2), server: perLine(publishing + delivering) }),
  ];
}

/** Bytes, and microseconds of processor time, for each line. */
interface PerLine {
  readonly bytesPerLine: number;
  readonly worker: number;
  readonly server: number;
}

const SECONDS_PER_DAY = 86_400;
/** The duplicate window of a stream, and `flush_count` of a ParquetOutput. */
const [WINDOW_SECONDS, FILE_ROWS] = [120, 120_000];

/** The sizes of a cluster that follow. */
function planOf({ edges, seconds }: Fleet, { bytesPerLine, worker, server }: PerLine): Figure[] {
  const lines = edges * LINES_PER_SECOND;
  const batches = edges / seconds;
  const rate = `${lines.toLocaleString('en')} lines/s, ${batches.toLocaleString('en')} batches/s`;
  return [
    { what: 'so all its workers need', value: (lines * worker) / 1e6, unit: 'cores', note: rate },
    { what: 'a server, for one replica and one consumer', value: (lines * server) / 1e6, unit: 'cores' },
    { what: 'a replica takes', value: (lines * bytesPerLine) / 1e6, unit: 'MB/s' },
    { what: 'and in seven days', value: (lines * bytesPerLine * SECONDS_PER_DAY * 7) / 1e12, unit: 'TB' },
    { what: 'its duplicate window knows', value: batches * WINDOW_SECONDS, unit: 'batches' },
    { what: 'unacknowledged, until a file of each of N workers is full: N times', value: (FILE_ROWS / lines) * batches, unit: 'batches' },
    { what: 'files a day, at least', value: (lines * SECONDS_PER_DAY) / FILE_ROWS, unit: 'files' },
  ];
}

/** The stream keeps the batches until their files are written. */
const UNBUFFERED = 'use_buffering = false\n';

/** Batches as so many edges publish them, one after the other. */
function* published(bodies: readonly Buffer[], batches: number, edges: number): Iterable<Published> {
  const run = randomBytes(6).toString('hex');
  for (let i = 0; i < batches; i++) {
    const edge = `edge${i % edges}`;
    yield { subject: `logs.${edge}.nginx_access`, body: bodies[i % bodies.length] as Buffer, headers: headersOf(edge, run, i) };
  }
}

function headersOf(edge: string, run: string, i: number): MsgHdrs {
  const made = headers();
  made.set(EDGE_HEADER, edge);
  made.set(SEQUENCE_HEADER, String(i));
  made.set(WAITING_HEADER, '0');
  made.set('Nats-Msg-Id', `${edge}/upstream/${run}/${i}`);
  return made;
}
