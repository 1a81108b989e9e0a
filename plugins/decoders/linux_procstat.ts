/**
 * Decodes `/proc/stat`: each line `name number number …` becomes a field of its name, which holds all numbers of the line: cpu and cpu0, cpu1 …
 * (user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice, as far as the kernel has them, in hundredths of a second), intr and
 * softirq (the total first), ctxt, btime, processes, procs_running and procs_blocked.
 *
 * If that is more than output_limit, intr and softirq keep their totals alone, as on machines with thousands of interrupts; where it is still more,
 * the processors are left out of which `cpu` is the sum.
 *
 * Reading ends at the first line of another form; the lines before it are used. When a name occurs twice, the later value counts.
 *
 * The Type is `stats.proc`; a single number is a field with that value, not a list with one element.
 */
import { boolConfig } from '../modules/config.ts';
import { injectTable } from '../base/inject.ts';
import { KEEP_CONTENT } from '../lib/parameters.ts';

export const meta: PluginMeta = {
  name: 'linux_procstat',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the times of processors and counters of the kernel from /proc/stat.',
  split: 'none',
  recordSummary: '[{procs_running} running][, {procs_blocked} blocked][ · {ctxt} context switches]',
  looks: [{ text: /^cpu +\d+ \d+ \d+ \d+.*\nctxt \d+\nbtime \d+\n/s }],
  parameters: {
    payload_keep: KEEP_CONTENT,
  },
  examples: [
    {
      title: 'a machine with one processor',
      in: 'cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4\nintr 500 1 2\nctxt 115315\nbtime 1600000000\nprocs_running 6\nsoftirq 288977 23\n',
      out: {
        Type: 'stats.proc',
        Fields: {
          cpu: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
          cpu0: [1, 2, 3, 4],
          intr: [500, 1, 2],
          ctxt: 115315,
          btime: 1600000000,
          procs_running: 6,
          softirq: [288977, 23],
        },
      },
    },
    {
      title: 'a line that is not a number ends the reading',
      config: { payload_keep: true },
      in: 'page 5 6\nswap 1 0\ndisk_io: (1,2)\n',
      out: { Type: 'stats.proc', Payload: 'page 5 6\nswap 1 0\ndisk_io: (1,2)\n', Fields: { page: [5, 6], swap: [1, 0] } },
    },
    { title: 'no number', in: 'ctxt x\n', fails: 'no line with a name and numbers' },
  ],
};

/** A name, and the numbers behind it as far as there is nothing else. */
const LINE = /^(?<name>\w+)(?<numbers>[ \d]*)/;
const BLANKS = / +/;
/** A longer list is one of a counter for each interrupt. */
const MOST_KINDS = 16;
const PROCESSOR = /^cpu\d+$/;

const refusal: ProcessStatus = [-1, 'no line with a name and numbers'];
const keepPayload = boolConfig('payload_keep');

type StatField = { name: string; value: number[] };

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const content = text.slice(start, end);
  const read = new Map<string, number[]>();
  for (const line of content.split('\n')) if (line !== '' && !readLine(line, read)) break;
  if (read.size === 0) return refusal;

  const fields = Array.from(read, ([name, value]): StatField => ({ name, value }));
  let status: ProcessStatus = 0;
  for (const part of partsOf(fields)) if ((status = inject(part, content)) === 0) break;
  return status;
}

/** Notes the numbers of a line. False when it does not fit to its end. */
function readLine(line: string, read: Map<string, number[]>): boolean {
  const [fitting = '', name = '', numbers = ''] = LINE.exec(line) ?? [];
  const words = numbers.trim();
  if (words === '') return false;
  read.set(name, words.split(BLANKS).map(Number));
  return fitting.length === line.length;
}

/** All fields, and what is left of them for a machine with more than fits into a message. */
function* partsOf(fields: readonly StatField[]): Generator<readonly StatField[]> {
  yield fields;
  const totals = fields.map(({ name, value }) => ({ name, value: value.length > MOST_KINDS ? value.slice(0, 1) : value }));
  yield totals;
  yield totals.filter(({ name }) => !PROCESSOR.test(name));
}

function inject(Fields: readonly StatField[], content: string): ProcessStatus {
  return injectTable({ Type: 'stats.proc', Fields, ...(keepPayload ? { Payload: content } : {}) });
}
