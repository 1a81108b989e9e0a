/**
 * Decodes `/proc/loadavg`: the load averages of the last 1, 5 and 15 minutes become the fields 1MinAvg, 5MinAvg and 15MinAvg, the number of
 * runnable entities becomes NumProcesses. FilePath is copied from the message that is decoded, if it has one.
 */
import { boolConfig } from '../modules/config.ts';
import { injectWritten } from '../base/inject.ts';
import { KEEP_CONTENT } from '../lib/parameters.ts';
import { decimal, decimalIn, digits, integerIn, isSpace } from '../base/scan.ts';
import { filePath } from '../lib/stat_file.ts';

export const meta: PluginMeta = {
  name: 'linux_loadavg',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the load averages from /proc/loadavg.',
  split: 'none',
  recordSummary: 'load {1MinAvg} {5MinAvg} {15MinAvg}[ · {NumProcesses} running]',
  looks: [{ text: /^\d+\.\d\d \d+\.\d\d \d+\.\d\d \d+\/\d+ \d+\n?$/ }],
  parameters: {
    payload_keep: KEEP_CONTENT,
  },
  examples: [
    {
      title: 'a quiet machine',
      in: { Payload: '0.20 0.18 0.12 1/80 11206\n', Fields: { FilePath: '/proc/loadavg' } },
      out: {
        Type: 'stats.loadavg',
        Fields: { '1MinAvg': 0.2, '5MinAvg': 0.18, '15MinAvg': 0.12, NumProcesses: 1, FilePath: '/proc/loadavg' },
      },
    },
    {
      title: 'a busy one, with the content kept',
      config: { payload_keep: true },
      in: '12.00 1.50 0.12 10/1080 11206\n',
      out: {
        Type: 'stats.loadavg',
        Payload: '12.00 1.50 0.12 10/1080 11206\n',
        Fields: { '1MinAvg': 12, '5MinAvg': 1.5, '15MinAvg': 0.12, NumProcesses: 10 },
      },
    },
    { title: 'averages without a point', in: '1 1 1 1/80 11206\n', fails: 'not three load averages' },
    { title: 'no last process', in: '0.20 0.18 0.12 1/80\n', fails: 'no counts of processes behind the load averages' },
  ],
};

const PROCESSES = 3;
const FILE_PATH = 4;
const SLASH = 47;

const noAverages: ProcessStatus = [-1, 'not three load averages'];
const noProcesses: ProcessStatus = [-1, 'no counts of processes behind the load averages'];

const keepPayload = boolConfig('payload_keep');
const writer = message_writer([
  { name: '1MinAvg', kind: 'number' },
  { name: '5MinAvg', kind: 'number' },
  { name: '15MinAvg', kind: 'number' },
  { name: 'NumProcesses', kind: 'number' },
  { name: 'FilePath', kind: 'text' },
]);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  let at = start;
  for (let column = 0; column < PROCESSES; column++) {
    const to = decimal(text, at, end);
    if (to < 0 || to >= end || !isSpace(text.charCodeAt(to))) return noAverages;
    writer.number(column, decimalIn(text, at, to));
    at = to + 1;
  }

  const running = digits(text, at, end);
  const total = running >= 0 && text.charCodeAt(running) === SLASH ? digits(text, running + 1, end) : -1;
  if (total < 0 || !isSpace(text.charCodeAt(total)) || digits(text, total + 1, end) < 0) return noProcesses;
  writer.number(PROCESSES, integerIn(text, at, running));

  writer.type('stats.loadavg');
  const path = filePath();
  if (path !== null) writer.text(FILE_PATH, path);
  if (keepPayload) writer.payloadSlice(start, end);
  return injectWritten(writer);
}
