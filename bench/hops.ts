import type { Times } from './anchors/timed.ts';
import { generatedLog } from './logs.ts';
import { Programs, Server } from './nats-cluster.ts';
import { progress, type Benchmark, type Figure } from './report.ts';

/** A log that goes from an edge through a server of NATS and a worker to Parquet files, beside the same work in one process. */
export const hopsBenchmark: Benchmark = {
  name: 'hops',
  title: 'An access log through edge, NATS and worker to Parquet, and in one process (--lines N: so many)',
  async run({ lines }) {
    const server = await Server.start();
    try {
      return await measure(server, lines);
    } finally {
      await server.close();
    }
  },
};

async function measure(server: Server, lines: number): Promise<Figure[]> {
  const programs = new Programs(server, generatedLog('access', lines).path);
  const cpu = (what: string, cpuSeconds: number, note?: string): Figure => ({
    what,
    value: (cpuSeconds * 1e6) / lines,
    unit: 'µs/line',
    note,
  });
  const figures = (what: string, { seconds, cpuSeconds }: Times, note?: string): Figure[] => [
    { what, value: lines / seconds, unit: 'lines/s', note },
    cpu(`${what}: processor time`, cpuSeconds),
  ];
  progress('one process');
  const one = await programs.alone();
  progress('edge');
  const beforeEdge = server.cpuSeconds();
  const edge = await programs.edge();
  const publishing = server.cpuSeconds() - beforeEdge;
  const { batches, bytes } = await server.stored();
  progress('worker');
  const beforeWorker = server.cpuSeconds();
  const worker = await programs.workers(1, lines);
  const delivering = server.cpuSeconds() - beforeWorker;
  progress('two workers');
  const two = await programs.workers(2, lines);
  await server.empty();
  progress('all at once');
  const [whole] = await Promise.all([programs.workers(1, lines), programs.edge()]);
  const share = (one.seconds / worker.seconds) * 100;
  return [
    ...figures('one process', one),
    ...figures('edge', edge),
    cpu('server, from the edge', publishing, `${(bytes / lines).toFixed(0)} bytes a line, ${batches} batches`),
    cpu('server, to the worker', delivering),
    ...figures('worker', worker, `${share.toFixed(0)} % of the rate of one process`),
    ...figures('two workers', two, `${(worker.seconds / two.seconds).toFixed(2)} times the rate of one`),
    ...figures('edge, server and worker at once', whole, 'processor time of the worker').slice(0, 1),
  ];
}
