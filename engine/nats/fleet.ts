import type { ConsumerInfo, JetStreamManager, JsMsg, StreamInfo } from '@nats-io/jetstream';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import type { FleetConsumer, FleetEdge, FleetStream } from '../api/fleet-types.ts';
import { EDGE_HEADER, SEQUENCE_HEADER, WAITING_HEADER } from './batch.ts';

/** Streams that are looked at, and subjects of each. */
const MOST_STREAMS = 100;
const MOST_SUBJECTS = 20_000;
/** Milliseconds without a further subject after which there is none. */
const QUIET_MS = 1_000;
/** Nanoseconds after which the server forgets a consumer that was left. */
const FORGOTTEN_NS = 10_000_000_000;

/**
 * The streams of a cluster, with their consumers and edges. Nothing is taken from them.
 * @param only the name of the one that is wanted; absent: all are
 * @throws errors of the client
 */
export async function fleetOf(connection: NatsConnection, only?: string): Promise<FleetStream[]> {
  const { jetstreamManager } = await import('@nats-io/jetstream');
  const manager = await jetstreamManager(connection);
  const streams: FleetStream[] = [];
  for await (const info of manager.streams.list()) {
    if (streams.length >= MOST_STREAMS) break;
    if (only !== undefined && info.config.name !== only) continue;
    streams.push(await streamOf(connection, manager, info));
  }
  return streams.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function streamOf(connection: NatsConnection, manager: JetStreamManager, { config, state }: StreamInfo): Promise<FleetStream> {
  const consumers: FleetConsumer[] = [];
  for await (const info of manager.consumers.list(config.name))
    if (info.config.durable_name !== undefined) consumers.push(consumerOf(info));
  return {
    name: config.name,
    subjects: config.subjects,
    batches: state.messages,
    bytes: state.bytes,
    firstMs: state.messages === 0 ? 0 : Date.parse(state.first_ts),
    lastMs: state.messages === 0 ? 0 : Date.parse(state.last_ts),
    consumers: consumers.sort((a, b) => (a.name < b.name ? -1 : 1)),
    edges: state.messages === 0 ? [] : await edgesOf(connection, manager, config.name),
  };
}

const consumerOf = ({ name, num_pending, num_ack_pending, ack_floor }: ConsumerInfo): FleetConsumer => ({
  name,
  waiting: num_pending,
  unacknowledged: num_ack_pending,
  acknowledged: ack_floor.stream_seq,
});

/** The edges by the headers of the last batch of each subject, which is all that the server sends. */
async function edgesOf(connection: NatsConnection, manager: JetStreamManager, stream: string): Promise<FleetEdge[]> {
  const { AckPolicy, DeliverPolicy, jetstream } = await import('@nats-io/jetstream');
  const { name, num_pending: count } = await manager.consumers.add(stream, {
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.LastPerSubject,
    filter_subject: '>',
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: FORGOTTEN_NS,
  });
  const edges = new Map<string, FleetEdge>();
  try {
    const consumer = await jetstream(connection).consumers.get(stream, name);
    const most = Math.min(count, MOST_SUBJECTS);
    let left = most;
    while (left > 0) {
      const before = left;
      for await (const message of await consumer.fetch({ max_messages: left, expires: QUIET_MS })) {
        left--;
        addTo(edges, message);
      }
      if (left === before) break;
    }
  } finally {
    await manager.consumers.delete(stream, name).catch(() => false);
  }
  return [...edges.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function addTo(edges: Map<string, FleetEdge>, { headers, subject, seq: position, time }: JsMsg): void {
  const name = headers?.get(EDGE_HEADER) ?? '';
  if (name === '') return;
  const known = edges.get(name);
  const subjects = [...(known?.subjects ?? []), subject];
  if (known !== undefined && known.position > position) edges.set(name, { ...known, subjects });
  else {
    const batches = countIn(headers, SEQUENCE_HEADER) ?? 0;
    edges.set(name, { name, batches, lastMs: time.getTime(), position, waiting: countIn(headers, WAITING_HEADER), subjects });
  }
}

/** The number of a header; null: it has none. */
function countIn(headers: MsgHdrs | undefined, name: string): number | null {
  const text = headers?.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
