/** Inputs and outputs of NATS with a real server. */
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { NatsInput, type NatsInputOptions } from '../../../engine/inputs/nats/nats-input.ts';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import type { Message } from '../../../engine/message/types.ts';
import { NatsWriter, type NatsWriterOptions } from '../../../engine/outputs/nats/nats-writer.ts';
import type { Receipt } from '../../../engine/outputs/writers.ts';
import { TestSink } from '../../engine/inputs/harness.ts';
import { NatsServer } from './nats-server.ts';

export const message = (payload: string, more: Partial<Message> = {}): Message => ({
  uuid: new Uint8Array(16).fill(payload.length),
  timestamp: 5n,
  type: 'nginx.access',
  hostname: 'web1',
  payload,
  fields: [{ name: 'status', valueType: 2, values: [200n] }],
  ...more,
});
export const noise = (length: number): string => Array.from({ length }, () => String.fromCharCode(33 + Math.random() * 90)).join('');
export const pieces = (...messages: readonly Message[]): Uint8Array[] => messages.map((each) => encodeMessage(each));
/** Of a disk buffer that keeps nothing. */
export const NO_RECEIPT: Receipt = { taken: () => Promise.resolve(), mark: () => '' };

export const GATHERING = { flushInterval: 0, batchMessages: 10_000, maxAckPending: 1_000 };

const retries = { delay: 20, max_delay: 100, max_jitter: 0, max_retries: -1 };

/** A server for the tests of a file, and what they do with it. */
export function natsBench() {
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

  let streams = 0;
  /** The name of the next one. */
  const nextStream = (): string => `S${streams + 1}`;

  /** A stream of its own, with subjects below its name. */
  async function stream(limits: object = {}): Promise<string> {
    const name = nextStream();
    streams++;
    await manager.streams.add({ name, subjects: [`${name}.>`], ...limits });
    return name;
  }

  const stored = async (name: string): Promise<number> => (await manager.streams.info(name)).state.messages;

  async function output(name: string | null, more: Partial<NatsWriterOptions> = {}): Promise<{ writer: NatsWriter; said: string[] }> {
    const said: string[] = [];
    const writer = await NatsWriter.open({
      servers: server.at(),
      stream: name,
      subject: `${name}.{Hostname}.{Type}`,
      edge: 'edge1',
      name: 'up',
      flushInterval: 0,
      batchMessages: 5_000,
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
    const options = { name: 'in', servers: server.at(), stream: name, durable: 'lake', subject: `${name}.>`, ...GATHERING, retries };
    const made = new NatsInput({ ...options, ...more });
    const sink = new TestSink();
    await made.start(sink);
    cleanups.push(async () => {
      await made.stop();
      await made.settle();
    });
    return { sink, input: made };
  }

  const unacknowledged = async (name: string): Promise<number> => (await manager.consumers.info(name, 'lake')).num_ack_pending;
  /** The questions for a next batch that are open at the server. */
  const questions = async (name: string): Promise<number> => (await manager.consumers.info(name, 'lake')).num_waiting;

  return {
    cleanups,
    stream,
    nextStream,
    stored,
    output,
    input,
    unacknowledged,
    questions,
    address: () => `127.0.0.1:${server.port}`,
    connection: () => connection,
    manager: () => manager,
  };
}
