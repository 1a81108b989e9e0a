import { machine } from '../report.ts';
import type { Tool } from '../installed.ts';
import type { Compared } from './ratios.ts';
import { MEASURES, TASKS, type Task } from './works.ts';

interface About {
  readonly lines: number;
  readonly rounds: number;
  /** The name of a program with its version; null is this one. */
  readonly named: (tool: Tool | null) => string;
}

/** The page of the documentation on what things take, in Markdown. */
export function performancePage(results: readonly Compared[], { lines, rounds, named }: About): string {
  const tasks = (Object.keys(TASKS) as Task[]).filter((task) => results.some(({ work }) => work.task === task));
  return `# Performance

<!-- Made by npm run bench -- anchors --write -->

This page compares Sluicebox with other programs that read the same logs. Each log has ${lines.toLocaleString('en')} generated lines. The figures are
${rounds === 1 ? 'of one round' : `medians of ${rounds} rounds`}, in which each program had its turn. Measured ${new Date().toISOString().slice(0, 10)}, ${machine()}.

Figures depend on the machine and its load, ratios much less. \`npm run bench -- anchors\` measures your machine, and \`--lines 5000000\` sets the number of lines.

- **CPU** is the processor time (user and system) of the command and all its child processes, for each line.
- **Time** is from the start of the command to its end. The file is in the system's cache.
- Processor time is compared with LuaJIT and an LPeg grammar, which parses each line into a table and does nothing else. Scripts of other log processors parse at
  this speed. Time is compared with lnav, a program that people open logs with.
- \`run\` reads the file, decodes all fields of each line, and draws graphs of them by a filter. The bundled scripts run in the process of the command, _a user's script_, a copy of the
  decoder in a folder of scripts, in a sandbox. \`decode\` prints each message as JSON, to \`/dev/null\`. \`match\`, \`cat\` and
  \`encode\` read the decoded messages as protobuf.
- Over TCP, the processor time is that of the receiver without its start. The sender runs on the same cores and is not counted.
${tasks.map((task) => sectionOf(task, results, named)).join('')}`;
}

function sectionOf(task: Task, results: readonly Compared[], named: About['named']): string {
  const { cpu, time } = MEASURES[task];
  const rows = results
    .filter(({ work }) => work.task === task)
    .map((result) => [
      named(result.work.tool),
      result.work.what,
      result.cpu.toFixed(2),
      ratio(result.cpuRatio),
      result.seconds.toFixed(2),
      ratio(result.timeRatio),
      Math.round(result.rate).toLocaleString('en'),
    ]);
  const head = ['Program', 'Work', 'CPU, µs a line', `by ${cpu.name}`, 'Time, s', `by ${time.name}`, 'Lines/s'];
  const rule = head.map((_, i) => (i < 2 ? '---' : '---:'));
  return `\n## ${TASKS[task].replace(/^./, (letter) => letter.toUpperCase())}\n\n${markdownTable([head, rule, ...rows])}`;
}

const ratio = (value: number | null): string => (value === null ? '' : value.toFixed(2));

/** A table as the formatter wants it: columns of equal width, numbers at the right. */
function markdownTable(rows: readonly (readonly string[])[]): string {
  const right = (column: number): boolean => rows[1]?.[column]?.endsWith(':') === true;
  const widths = (rows[0] as readonly string[]).map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const cell = (text: string, column: number): string => {
    const width = widths[column] as number;
    if (/^-+:?$/.test(text)) return text.replace(/^-+/, (dashes) => '-'.repeat(width - text.length + dashes.length));
    return right(column) ? text.padStart(width) : text.padEnd(width);
  };
  return rows.map((row) => `| ${row.map(cell).join(' | ')} |\n`).join('');
}
