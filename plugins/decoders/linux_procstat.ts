/**
 * Decodes `/proc/stat`: each line `name number number …` becomes a field of its name, which holds all numbers of the line: cpu and cpu0, cpu1 …
 * (user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice, as far as the kernel has them, in hundredths of a second), intr and
 * softirq (the total first), ctxt, btime, processes, procs_running and procs_blocked.
 *
 * Reading ends at the first line of another form; the lines before it are used. When a name occurs twice, the later value counts.
 *
 * The Type is `stats.proc`; a single number is a field with that value, not a list with one element.
 */
import { boolConfig } from '../modules/config.ts';
import { injectTable } from '../base/inject.ts';
import { KEEP_CONTENT } from '../lib/parameters.ts';
import { digits, integerIn, isDigit, isLetter, run } from '../base/scan.ts';

export const meta: PluginMeta = {
  name: 'linux_procstat',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the times of processors and counters of the kernel from /proc/stat.',
  split: 'none',
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
      title: 'a line that is no number ends the reading',
      config: { payload_keep: true },
      in: 'page 5 6\nswap 1 0\ndisk_io: (1,2)\n',
      out: { Type: 'stats.proc', Payload: 'page 5 6\nswap 1 0\ndisk_io: (1,2)\n', Fields: { page: [5, 6], swap: [1, 0] } },
    },
    { title: 'no number', in: 'ctxt x\n', fails: 'no line with a name and numbers' },
  ],
};

const [NEWLINE, BLANK, UNDERSCORE] = [10, 32, 95];

const refusal: ProcessStatus = [-1, 'no line with a name and numbers'];
const keepPayload = boolConfig('payload_keep');
const name = run((code) => isLetter(code) || isDigit(code) || code === UNDERSCORE);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const fields = new Map<string, number[]>();
  for (let at = start; at >= 0;) at = readLine(text, skip(text, at, end, NEWLINE), end, fields);
  if (fields.size === 0) return refusal;

  const message: InjectMessage = { Type: 'stats.proc', Fields: Array.from(fields, ([key, value]) => ({ name: key, value })) };
  if (keepPayload) message.Payload = text.slice(start, end);
  return injectTable(message);
}

/** Notes the numbers of the line that begins at `at`. Returns where it ends, or -1 when it does not fit to its end. */
function readLine(text: string, at: number, end: number, fields: Map<string, number[]>): number {
  const nameEnd = name(text, at, end);
  if (nameEnd < 0) return -1;
  const numbers: number[] = [];
  let last = nameEnd;
  let next = skip(text, nameEnd, end, BLANK);
  while (next > last) {
    const to = digits(text, next, end);
    if (to < 0) break;
    numbers.push(integerIn(text, next, to));
    last = to;
    next = skip(text, to, end, BLANK);
  }
  if (numbers.length > 0) fields.set(text.slice(at, nameEnd), numbers);
  return numbers.length > 0 && next < end && text.charCodeAt(next) === NEWLINE ? next : -1;
}

/** The position after all characters `code` at `at`. */
function skip(text: string, at: number, end: number, code: number): number {
  while (at < end && text.charCodeAt(at) === code) at++;
  return at;
}
