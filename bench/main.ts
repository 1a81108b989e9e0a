/** Measures the engine; the arguments name the groups that are wanted (all, without any). */
import { messageOf } from '../engine/base/errors.ts';
import { anchorsBenchmark } from './anchors/anchors.ts';
import { askBenchmark } from './ask.ts';
import { bombsBenchmark } from './bombs.ts';
import { clicksBenchmark } from './clicks.ts';
import { decodeBenchmark } from './decode.ts';
import { decodersBenchmark } from './decoders.ts';
import { detectBenchmark } from './detect.ts';
import { differenceBenchmark } from './difference.ts';
import { edgesBenchmark } from './edges.ts';
import { filterBenchmark } from './filters.ts';
import { growthBenchmark } from './growth.ts';
import { hopsBenchmark } from './hops.ts';
import { liveBenchmark } from './live.ts';
import { matchersBenchmark } from './matchers.ts';
import { memoryBenchmark } from './memory.ts';
import { messagesBenchmark } from './messages.ts';
import { readOptions, USAGE, type BenchOptions } from './options.ts';
import { pipelineBenchmark } from './pipeline.ts';
import { endProgress, machine, table, type Benchmark } from './report.ts';
import { profileBenchmark } from './profile/profile.ts';
import { routingBenchmark } from './routing.ts';
import { rulesBenchmark } from './rules.ts';
import { startBenchmark } from './start.ts';
import { tcpBenchmark } from './tcp.ts';
import { udpBenchmark } from './udp.ts';
import { windowBenchmark } from './window.ts';

const BENCHMARKS: readonly Benchmark[] = [
  messagesBenchmark,
  matchersBenchmark,
  routingBenchmark,
  rulesBenchmark,
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
  hopsBenchmark,
  edgesBenchmark,
  windowBenchmark,
  anchorsBenchmark,
  profileBenchmark,
  growthBenchmark,
  askBenchmark,
  clicksBenchmark,
  differenceBenchmark,
];
const NAME_WIDTH = Math.max(...BENCHMARKS.map(({ name }) => name.length)) + 2;

/** Most characters that are printed of a failure: a host that does not start prints its stack. */
const LONGEST_FAILURE = 300;
/** Reasons of failures that were printed; several batches under way fail for the same reason, which is printed once. */
const told = new Set<string>();

process.exit(await main(process.argv.slice(2)));

async function main(args: readonly string[]): Promise<number> {
  let read: ReturnType<typeof readOptions>;
  try {
    read = readOptions(args);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 2;
  }
  const { names, help, options } = read;
  const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (help) process.stdout.write(`${USAGE}${BENCHMARKS.map(({ name, title }) => `  ${name.padEnd(NAME_WIDTH)}${title}\n`).join('')}`);
  if (unknown.length > 0)
    process.stderr.write(`There is no benchmark ${unknown.join(', ')}. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}\n`);
  if (help || unknown.length > 0) return help ? 0 : 2;
  process.stdout.write(`${machine()}\n\n`);
  const wanted = BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name));
  let failed = 0;
  let now = '';
  process.on('unhandledRejection', (error) => tellFailure(now, error));
  for (const benchmark of wanted) {
    now = benchmark.name;
    if (!(await isMeasured(benchmark, options))) failed++;
  }
  return failed > 0 ? 1 : 0;
}

function tellFailure(name: string, error: unknown): void {
  const line = `${name} failed: ${messageOf(error).replaceAll('\n', ' | ').slice(0, LONGEST_FAILURE)}\n\n`;
  if (!told.has(line)) process.stderr.write(line);
  told.add(line);
}

/** Measures and prints; a failure is one line, and the next benchmark has its turn. */
async function isMeasured(benchmark: Benchmark, options: BenchOptions): Promise<boolean> {
  try {
    const figures = await benchmark.run(options);
    endProgress();
    process.stdout.write(`${table(benchmark.title, figures)}\n`);
    return true;
  } catch (error) {
    endProgress();
    tellFailure(benchmark.name, error);
    return false;
  }
}
