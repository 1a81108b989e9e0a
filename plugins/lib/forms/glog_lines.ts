/** Lines of glog and klog. */
import { SHORT_MONTHS } from '../../base/dates.ts';
import type { LogField } from '../../modules/table_writer.ts';
import { ConsoleFields } from '../inner/console_fields.ts';
import type { Groups, RecordForms } from '../pattern_decoder.ts';

/** The words of klog's structured records. */
const QUOTED = /^"[^\n]*"(?=\n|$)/;
const behind = new ConsoleFields();
let fields: readonly LogField[] = [];

/** The groups without the pairs behind words in quotes, which are `fields` then. */
function withoutPairs(groups: Groups): Groups {
  const { message = '' } = groups;
  const record = message.startsWith('"') ? behind.read(message, 'plain') : null;
  const words = record?.words === undefined ? null : unquoted(record.words);
  fields = record === null || words === null ? [] : record.fields;
  return words === null ? groups : { ...groups, message: words };
}

/** Words without their quotes, and the lines behind them; null: they have none. */
function unquoted(words: string): string | null {
  const [quoted] = QUOTED.exec(words) ?? [];
  if (quoted === undefined) return null;
  try {
    return (JSON.parse(quoted) as string) + words.slice(quoted.length);
  } catch {
    return null;
  }
}

/** A date as `AnyDate` reads it. */
const dateOf = (year: string | undefined, month: string, day: string, time: string): string =>
  year === undefined ? `${SHORT_MONTHS[Number(month) - 1] ?? '?'} ${day} ${time}` : `${year}-${month}-${day} ${time}`;

export const GLOG: RecordForms = {
  patterns: [
    /^(?<level>[IWEF])(?<_year>\d{4})?(?<_month>\d\d)(?<_day>\d\d) (?<time>\d\d:\d\d:\d\d\.\d{6}) +(?<process>\d+) (?<source>[^\s:]+):(?<source_line>\d+)\] (?<message>.*)$/s,
    // The head of a file.
    /^(?<message>Log file created at: (?<time>\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d)(?:\nRunning on machine: (?<hostname>\S+))?.*)$/s,
  ],
  levels: { I: 6, W: 4, E: 3, F: 2 },
  numbers: { source_line: '' },
  hosts: [],
  refusal: 'no level, date and source of glog',
  refine: ({ _year: year, _month: month, _day: day = '', time = '', ...groups }) => ({
    ...withoutPairs(groups),
    time: month === undefined ? time : dateOf(year, month, day, time),
  }),
  further: () => fields,
};
