import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedVersion, leftOut, type Tool } from '../installed.ts';
import { progress, type Benchmark, type Figure } from '../report.ts';
import { root } from '../samples.ts';
import { inTurn } from './measured.ts';
import { performancePage } from './page.ts';
import { compared, type Compared } from './ratios.ts';
import { MEASURES, WORKS } from './works.ts';

/** Other programs and this one on the same logs, in one run. */
export const anchorsBenchmark: Benchmark = {
  name: 'anchors',
  title: 'The same generated logs, read by other programs and by this one in turn: CPU time a line, of all processes',
  async run({ lines, rounds, write }) {
    const tools = [...new Set(WORKS.flatMap(({ tool }) => tool ?? []))];
    const versions = new Map(tools.map((tool) => [tool, installedVersion(tool)]));
    const missing = tools.filter((tool) => versions.get(tool) === null);
    if (missing.length > 0) process.stdout.write(`${leftOut(missing)}\n`);
    const works = WORKS.filter(({ tool }) => tool === null || !missing.includes(tool));
    const results = compared(await inTurn(works, lines, rounds, progress), lines);
    const named = (tool: Tool | null): string => (tool === null ? 'sluicebox' : `${tool.name} ${versions.get(tool) ?? ''}`);
    if (write) writeFileSync(join(root, 'docs', 'performance.md'), performancePage(results, { lines, rounds, named }));
    return results.map((result) => figureOf(result, named(result.work.tool)));
  },
};

function figureOf({ work, cpu, seconds, rate, cpuRatio, timeRatio }: Compared, name: string): Figure {
  const measures = MEASURES[work.task];
  const ratios = [
    ...(cpuRatio === null || work.tool === measures.cpu ? [] : [`${cpuRatio.toFixed(2)} × the CPU time of ${measures.cpu.name}`]),
    ...(timeRatio === null || work.tool === measures.time ? [] : [`${timeRatio.toFixed(2)} × the time of ${measures.time.name}`]),
  ];
  return {
    what: `${work.task}: ${name}, ${work.what}`,
    value: cpu,
    unit: 'µs/line',
    note: [`${seconds.toFixed(2)} s, ${Math.round(rate).toLocaleString('en')} lines/s`, ...ratios].join('; '),
  };
}
