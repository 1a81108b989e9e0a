import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { existsSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { encodeMessage } from '../../../engine/message/protobuf/protobuf.ts';
import { encodeBatch } from '../../../engine/nats/batch.ts';
import { NatsServer } from '../../producers/support/nats-server.ts';
import { installed } from '../../producers/support/server.ts';
import { until } from '../../until.ts';
import type { Random } from '../random.ts';
import { recordText } from '../tally.ts';
import { deliver, repeatedly, settled } from './delivery.ts';
import type { Fault, FaultResult } from './fault.ts';

const STREAM = 'LOGS';
const DURABLE = 'lake';
/** Records of the log beside it, good batches, records of each, and pieces of garbage in front of each. */
const RECORDS = 5000;
const BATCHES = 60;
const PER_BATCH = 50;
const PIECES = 5;
const HEAD = Buffer.from([0x53, 0x4c, 0x42, 1]);

function batchOf(log: string, from: number): Promise<Buffer> {
  return encodeBatch(
    Array.from({ length: PER_BATCH }, (_, i) => {
      const headers = { uuid: crypto.getRandomValues(new Uint8Array(16)), timestamp: BigInt(Date.now()) * 1_000_000n, fields: [] };
      return encodeMessage({ ...headers, type: 'logfile', payload: recordText(log, from + i) });
    }),
  );
}

const BOMB = Buffer.concat([HEAD, zstdCompressSync(Buffer.alloc(512 << 20))]);

/** What somebody else may publish: no batch at all, or nearly one. Its records, where it can be read, are of another log. */
async function garbage(random: Random, number: number): Promise<Buffer> {
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => Math.floor(random.between(0, 256))));
  const batch = await batchOf('noise', number * PER_BATCH);
  const kinds: readonly (() => Buffer)[] = [
    () => Buffer.alloc(0),
    () => bytes(random.between(1, 2000)),
    () => Buffer.concat([HEAD, bytes(random.between(0, 2000))]),
    () => Buffer.concat([HEAD, zstdCompressSync(bytes(random.between(0, 2000)))]),
    () => batch.subarray(0, random.between(1, batch.length)),
    () => {
      const flipped = Buffer.from(batch);
      for (let i = 0; i < 3; i++) flipped[Math.floor(random.between(4, batch.length))] = Math.floor(random.between(0, 256));
      return flipped;
    },
    () => Buffer.alloc(900 << 10, 'x'),
    () => BOMB,
  ];
  return (kinds[Math.floor(random.between(0, kinds.length))] as () => Buffer)();
}

/** Garbage between the batches of a subject. */
export const subjects: readonly Fault[] = [
  {
    name: 'garbage on a NATS subject, between the batches of others: bombs, pieces, noise',
    promise: 'once',
    missing: () => (existsSync(installed('usr/sbin/nats-server')) ? null : 'no nats-server'),
    run: async ({ seed, length }) => {
      const server = new NatsServer();
      await server.start();
      const connection = await connect({ servers: [...server.at().addresses] });
      try {
        const manager = await jetstreamManager(connection);
        await manager.streams.add({ name: STREAM, subjects: ['logs.>'] });
        const batches = BATCHES * length;
        let [pieces, next] = [0, 0];
        let outcome: FaultResult | null = null;
        const result = await deliver({
          seed,
          records: RECORDS,
          recordsPerSecond: 2000,
          sections: () =>
            `[nats]\ntype = "NatsInput"\nservers = ["${server.at().addresses.join()}"]\nstream = "${STREAM}"\ndurable = "${DURABLE}"\n`,
          act: (delivery) =>
            repeatedly(batches, delivery, [0, 40], async () => {
              for (let i = 0; i < PIECES; i++, pieces++) connection.publish('logs.stranger', await garbage(delivery.random, pieces));
              connection.publish('logs.web1', await batchOf('nats', next));
              next += PER_BATCH;
              await connection.flush();
            }),
          finish: async (figures, { tally, service }) => {
            const good = (): number => next - tally.figures(new Map([['nats', next]]), () => true).lost;
            await settled(tally, RECORDS + next);
            const isDone = await until(async () => {
              const { num_ack_pending: taken, num_pending: waiting } = await manager.consumers.info(STREAM, DURABLE);
              return taken === 0 && waiting === 0;
            }).catch(() => false);
            const isTold = service.said.includes('cannot read a batch of logs.stranger');
            outcome = {
              ...figures,
              tried: pieces,
              lost: figures.lost + next - good() + (isTold ? 0 : 1) + (isDone === false ? 1 : 0),
              said: service.said,
            };
          },
        });
        return outcome ?? result;
      } finally {
        await connection.close();
        await server.close();
      }
    },
  },
];
