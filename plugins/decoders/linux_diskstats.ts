/**
 * Decodes the statistics of one disk: the content of a file such as `/sys/block/sda/stat`, read as a whole.
 *
 * The first eleven columns become the fields ReadsCompleted, ReadsMerged, SectorsRead, TimeReading, WritesCompleted, WritesMerged,
 * SectorsWritten, TimeWriting, NumIOInProgress, TimeDoingIO and WeightedTimeDoingIO; times are in milliseconds. FilePath and
 * TickerInterval are copied from the message that is decoded, if it has them.
 *
 * Newer kernels write 15 columns (discards, since 4.18) or 17 (flushes, since 5.5). These are accepted too; the further columns are not used.
 */
import { boolConfig } from '../modules/config.ts';
import { injectWritten } from '../base/inject.ts';
import { KEEP_CONTENT } from '../lib/parameters.ts';
import { filePath, spacedDigits, spacedNumber } from '../lib/stat_file.ts';

export const meta: PluginMeta = {
  name: 'linux_diskstats',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the statistics of a disk from /sys/block/*/stat.',
  split: 'none',
  recordSummary: '[{FilePath} · ]{ReadsCompleted} reads, {WritesCompleted} writes, {NumIOInProgress} in progress',
  looks: [{ text: /^(?: +\d+){11}(?:(?: +\d+){4}(?:(?: +\d+){2})?)?\n?$/ }],
  parameters: {
    payload_keep: KEEP_CONTENT,
  },
  examples: [
    {
      title: 'a disk of an older kernel, read every five seconds',
      in: {
        Payload: '   20417     6120   812944    33108    15990     8843  1204412     7021        2     6190    40133\n',
        Fields: { FilePath: '/sys/block/sdb/stat', TickerInterval: 5 },
      },
      out: {
        Type: 'stats.diskstats',
        Fields: {
          ReadsCompleted: 20417,
          ReadsMerged: 6120,
          SectorsRead: 812944,
          TimeReading: 33108,
          WritesCompleted: 15990,
          WritesMerged: 8843,
          SectorsWritten: 1204412,
          TimeWriting: 7021,
          NumIOInProgress: 2,
          TimeDoingIO: 6190,
          WeightedTimeDoingIO: 40133,
          TickerInterval: 5,
          FilePath: '/sys/block/sdb/stat',
        },
      },
    },
    {
      title: 'a disk of Linux 6, with its content kept',
      config: { payload_keep: true },
      in: '  133883 23183 7239290 99946 41325 120652 10902776 35216 0 16188 138009 18429 130 7283088 2583 4533 263\n',
      out: {
        Type: 'stats.diskstats',
        Payload: '  133883 23183 7239290 99946 41325 120652 10902776 35216 0 16188 138009 18429 130 7283088 2583 4533 263\n',
        Fields: {
          ReadsCompleted: 133883,
          ReadsMerged: 23183,
          SectorsRead: 7239290,
          TimeReading: 99946,
          WritesCompleted: 41325,
          WritesMerged: 120652,
          SectorsWritten: 10902776,
          TimeWriting: 35216,
          NumIOInProgress: 0,
          TimeDoingIO: 16188,
          WeightedTimeDoingIO: 138009,
        },
      },
    },
    { title: 'a line of /proc/diskstats', in: '   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n', fails: 'fewer than eleven numbers' },
    { title: 'a file of another layout', in: '1 2 3 4 5 6 7 8 9 10 11 12\n', fails: 'neither 11, 15 nor 17 numbers in a line' },
  ],
};

const NAMES = [
  'ReadsCompleted',
  'ReadsMerged',
  'SectorsRead',
  'TimeReading',
  'WritesCompleted',
  'WritesMerged',
  'SectorsWritten',
  'TimeWriting',
  'NumIOInProgress',
  'TimeDoingIO',
  'WeightedTimeDoingIO',
];
/** Numbers of further columns, behind the first eleven, that kernels write. */
const FURTHER = [0, 4, 6];
const INTERVAL = NAMES.length;
const FILE_PATH = INTERVAL + 1;
const NEWLINE = 10;

const tooFew: ProcessStatus = [-1, 'fewer than eleven numbers'];
const otherLayout: ProcessStatus = [-1, 'neither 11, 15 nor 17 numbers in a line'];

const keepPayload = boolConfig('payload_keep');
const writer = message_writer([
  ...NAMES.map((name): WriterColumn => ({ name, kind: 'number' })),
  { name: 'TickerInterval', kind: 'number' },
  { name: 'FilePath', kind: 'text' },
]);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  let at = start;
  for (let column = 0; column < NAMES.length; column++) {
    const to = spacedDigits(text, at, end);
    if (to < 0) return tooFew;
    writer.number(column, spacedNumber(text, at, to));
    at = to;
  }
  if (!endsLine(text, at, end)) return otherLayout;

  writer.type('stats.diskstats');
  const interval = read_message('Fields[TickerInterval]');
  if (typeof interval === 'number') writer.number(INTERVAL, interval);
  const path = filePath();
  if (path !== null) writer.text(FILE_PATH, path);
  if (keepPayload) writer.payloadSlice(start, end);
  return injectWritten(writer);
}

/** Whether the line ends at `at`, or behind as many numbers as newer kernels add. */
function endsLine(text: string, at: number, end: number): boolean {
  const line = text.indexOf('\n', at);
  const lineEnd = line < 0 || line > end ? end : line;
  let further = 0;
  for (let to = at; to >= 0; further++) {
    at = to;
    to = spacedDigits(text, at, lineEnd);
  }
  return at < end && text.charCodeAt(at) === NEWLINE && FURTHER.includes(further - 1);
}
