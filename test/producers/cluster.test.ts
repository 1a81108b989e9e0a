/** A cluster that suffers, and is brought up to date meanwhile: a short form of `npm run soak -- cluster`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsInput } from '../../engine/inputs/nats/nats-input.ts';
import { NatsWriter } from '../../engine/outputs/nats/nats-writer.ts';
import { TestSink } from '../engine/inputs/harness.ts';
import { patienceMs, testMs } from '../patience.ts';
import { Servers, DURABLE, STREAM } from '../soak/cluster/servers.ts';
import { clusterSoak } from '../soak/cluster/soak.ts';
import { problemsOf, summaryOf } from '../soak/cluster/summary.ts';
import { until } from '../until.ts';
import { GATHERING, message, pieces } from './support/nats-bench.ts';

it(
  'loses nothing and stores everything once after repeats are removed, though an edge, a worker and a server are killed',
  async () => {
    const kinds = ['kill -9 of an edge', 'kill -9 of a worker', 'kill -9 of a server'] as const;
    const result = await clusterSoak({ kinds, faults: 3, records: 6000, seed: 7, recordsPerFile: 700, hasOlderWorker: false });
    expect(problemsOf(result), `${summaryOf(result)}${result.said}`).toEqual([]);
    expect(Object.fromEntries(result.done)).toEqual(Object.fromEntries(kinds.map((kind) => [kind, 1])));
    expect(result.upgrades).toBe(3);
    expect(result.records).toBe(6000);
    expect(result.watched).toBeGreaterThan(0);
    // The servers elect their leaders by time.
  },
  5 * testMs(),
);

describe('an edge and a worker whose server is no good', () => {
  const servers = new Servers();
  beforeAll(() => servers.start(), testMs());
  afterAll(() => servers.close());
  /** Servers elect a leader by time. */
  const patience = (): number => 20_000 + patienceMs();

  it.each(['it is silent to them', 'it is separated from the others'] as const)(
    'go to another one when %s',
    async (what) => {
      const retries = { delay: 20, max_delay: 100, max_jitter: 0, max_retries: -1 };
      const [up, down] = [await servers.wires(), await servers.wires()];
      const at = (wires: typeof up) => ({
        addresses: wires.map(({ address }) => address),
        tls: { rejectUnauthorized: true },
        needsTls: false,
      });
      const said: string[] = [];
      const shared = { retries, flushInterval: 0 };
      const from = { stream: STREAM, subject: 'logs.x', edge: 'x', name: 'up', batchMessages: 5000, folder: null };
      const writer = await NatsWriter.open({ ...shared, ...from, servers: at(up), onProblem: (text) => said.push(text) });
      const input = new NatsInput({
        ...GATHERING,
        ...shared,
        name: 'in',
        servers: at(down),
        stream: STREAM,
        durable: DURABLE,
        subject: 'logs.>',
      });
      const sink = new TestSink();
      await input.start(sink);
      await writer.write(pieces(message(`before: ${what}`)));
      await until(() => sink.payloads.includes(`before: ${what}`), 'the first batch', patience);
      const used = up.findIndex(({ isUsed }) => isUsed);
      const isolated = what.includes('separated') ? new Set([used]) : new Set<number>();
      for (const server of isolated) servers.isolate(server, 'still');
      if (isolated.size === 0) for (const wires of [up, down]) wires.find(({ isUsed }) => isUsed)?.interrupt('still');
      let isWritten = false;
      const written = writer.write(pieces(message(`then: ${what}`))).then(() => (isWritten = true));
      await until(
        () => isWritten,
        () => `the edge: ${said.join('; ')}`,
        patience,
      );
      await until(
        () => sink.payloads.includes(`then: ${what}`),
        () => `the worker: ${JSON.stringify(sink.notices)}`,
        patience,
      );
      for (const server of isolated) servers.join(server);
      for (const wire of [...up, ...down]) wire.mend();
      await written;
      writer.closing();
      await writer.close();
      await input.stop();
      await input.settle();
    },
    2 * testMs(),
  );
});
