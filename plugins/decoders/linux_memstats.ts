/**
 * Decodes `/proc/meminfo`: each line `MemFree:   77 kB` becomes a field of its name, with the representation `kB` where the line has that unit and
 * an empty one where it has none. The set of names depends on the kernel. FilePath is copied from the message that is decoded, if it has one.
 *
 * Reading ends at the first line of another form; the lines before it are used. When a name occurs twice, the later value counts.
 */
import { boolConfig } from '../modules/config.ts';
import { injectTable } from '../base/inject.ts';
import { KEEP_CONTENT } from '../lib/parameters.ts';
import { isSpace } from '../base/scan.ts';
import { filePath, spacedDigits, spacedNumber } from '../lib/stat_file.ts';

export const meta: PluginMeta = {
  name: 'linux_memstats',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the use of memory from /proc/meminfo.',
  split: 'none',
  recordSummary: '[{MemAvailable} available of {MemTotal}|{MemFree} free of {MemTotal}|{MemTotal} of memory]',
  looks: [{ text: /^MemTotal: +\d+ kB\n(?:[\w()]+: +\d+(?: kB)?\n)+$/ }],
  parameters: {
    payload_keep: KEEP_CONTENT,
  },
  examples: [
    {
      title: 'some lines of the file',
      in: {
        Payload: 'MemTotal:        2048000 kB\nActive(anon):    10 kB\nHugePages_Total:       3\n',
        Fields: { FilePath: '/proc/meminfo' },
      },
      out: {
        Type: 'stats.memstats',
        Fields: {
          MemTotal: { value: 2048000, representation: 'kB' },
          'Active(anon)': { value: 10, representation: 'kB' },
          HugePages_Total: { value: 3, representation: '' },
          FilePath: '/proc/meminfo',
        },
      },
    },
    {
      title: 'a line in another unit ends the reading',
      in: 'MemTotal: 5 kB\nMemFree: 6 MB\n',
      out: { Type: 'stats.memstats', Fields: { MemTotal: { value: 5, representation: 'kB' } } },
    },
    { title: 'no line that fits', in: 'MemTotal: 5 MB\n', fails: 'no line with a name and a number' },
  ],
};

const UNIT = ' kB';
const NEWLINE = 10;

const refusal: ProcessStatus = [-1, 'no line with a name and a number'];
const keepPayload = boolConfig('payload_keep');

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const fields = new Map<string, FieldValue>();
  for (let at = start; at >= 0;) at = readLine(text, at, end, fields);
  if (fields.size === 0) return refusal;

  const message: InjectMessage & { Fields: (FieldValue & { name: string })[] } = { Type: 'stats.memstats', Fields: [] };
  for (const [name, field] of fields) message.Fields.push({ name, ...field });
  const path = filePath();
  if (path !== null) message.Fields.push({ name: 'FilePath', value: path });
  if (keepPayload) message.Payload = text.slice(start, end);
  return injectTable(message);
}

/** Notes the field of the line that begins at `at`. Returns where the next one begins, or -1 when this one does not fit. */
function readLine(text: string, at: number, end: number, fields: Map<string, FieldValue>): number {
  const colon = text.indexOf(':', at);
  if (colon <= at || colon + 1 >= end || !isSpace(text.charCodeAt(colon + 1))) return -1;
  const to = spacedDigits(text, colon + 1, end);
  if (to < 0) return -1;
  const withUnit = to + UNIT.length < end && text.startsWith(UNIT, to);
  const lineEnd = withUnit ? to + UNIT.length : to;
  if (lineEnd >= end || text.charCodeAt(lineEnd) !== NEWLINE) return -1;
  fields.set(text.slice(at, colon), { value: spacedNumber(text, colon + 1, to), representation: withUnit ? 'kB' : '' });
  return lineEnd + 1;
}
