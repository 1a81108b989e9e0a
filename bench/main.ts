/** Measures the engine; the arguments name the groups that are wanted (all, without any). */
import { bombsBenchmark } from './bombs.ts';
import { decodeBenchmark } from './decode.ts';
import { decodersBenchmark } from './decoders.ts';
import { detectBenchmark } from './detect.ts';
import { filterBenchmark } from './filters.ts';
import { liveBenchmark } from './live.ts';
import { matchersBenchmark } from './matchers.ts';
import { memoryBenchmark } from './memory.ts';
import { messagesBenchmark } from './messages.ts';
import { pipelineBenchmark } from './pipeline.ts';
import { machine, table, type Benchmark } from './report.ts';
import { routingBenchmark } from './routing.ts';
import { startBenchmark } from './start.ts';
import { tcpBenchmark } from './tcp.ts';
import { udpBenchmark } from './udp.ts';
import { windowBenchmark } from './window.ts';

const BENCHMARKS: readonly Benchmark[] = [
  messagesBenchmark,
  matchersBenchmark,
  routingBenchmark,
  decodeBenchmark,
  decodersBenchmark,
  detectBenchmark,
  filterBenchmark,
  pipelineBenchmark,
  memoryBenchmark,
  bombsBenchmark,
  startBenchmark,
  liveBenchmark,
  udpBenchmark,
  tcpBenchmark,
  windowBenchmark,
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}\n`);
  process.exit(2);
}
process.stdout.write(`${machine()}\n\n`);
for (const benchmark of BENCHMARKS) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue;
  process.stdout.write(`${table(benchmark.title, await benchmark.run())}\n`);
}
process.exit(0);
