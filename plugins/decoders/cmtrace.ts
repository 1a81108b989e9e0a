/**
 * Decodes logs of Microsoft's Configuration Manager and of scripts that write for its viewer CMTrace:
 * `<![LOG[…]LOG]!><time="14:07:59.250-60" date="03-05-2021" component="CcmExec" … file="ccmexec.cpp:87">`, and its older form
 * `…  $$<CcmExec><03-05-2021 14:07:59.250-60><thread=4123 (0x101B)>`.
 *
 * | Part | Becomes |
 * |---|---|
 * | date and time, with the minutes that are to be added to get UTC; without them they are in the zone of tz | Timestamp |
 * | type: 1 is 6, 2 is 4, 3 is 3 | Severity |
 * | component | Logger |
 * | thread, context | fields of their names |
 * | file | the fields source and source_line |
 * | the text, of one or several lines | Payload, or the whole record with payload_keep |
 */
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder, type Groups } from '../lib/pattern_decoder.ts';
import { TEXT_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'cmtrace',
  kind: 'decoder',
  stateless: true,
  summary: "Decodes logs of Microsoft's Configuration Manager (SCCM, CMTrace).",
  split: { before: /<!\[LOG\[|[^\n]*\$\$<[^<>\n]*><\d/ },
  columns: ['thread', 'source'],
  recordSummary: TEXT_SUMMARY,
  looks: [
    { records: /^<!\[LOG\[(?s:.*)\]LOG\]!><time="\d/ },
    { records: /\$\$<[^<>\n]*><\d\d?-\d\d?-\d{4} \d\d?:\d\d:\d\d[^<>\n]*><thread=/ },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'an error of two lines',
      in: '<![LOG[Failed to open\r\nC:\\Windows\\x.ini]LOG]!><time="14:07:59.250-60" date="03-05-2021" component="CcmExec" context="" type="3" thread="4123" file="ccmexec.cpp:87">',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 3,
        Logger: 'CcmExec',
        Payload: 'Failed to open\r\nC:\\Windows\\x.ini',
        Fields: { thread: '4123', source: 'ccmexec.cpp', source_line: 87 },
      },
    },
    {
      title: 'a line of a script',
      config: { tz: '+01:00', type: 'install' },
      in: '<![LOG[done]LOG]!><time="14:07:59.2501234" date="3-5-2021" component="Install" context="BOX1\\alice" type="1" thread="7" file="">',
      out: {
        Timestamp: '1614949679250123400',
        Type: 'install',
        Severity: 6,
        Logger: 'Install',
        Payload: 'done',
        Fields: { context: 'BOX1\\alice', thread: '7' },
      },
    },
    {
      title: 'the older form',
      in: 'Starting component.  $$<SMS_EXECUTIVE><03-05-2021 08:07:59.250+300><thread=4123 (0x101B)>',
      out: {
        Timestamp: '1614949679250000000',
        Logger: 'SMS_EXECUTIVE',
        Payload: 'Starting component.',
        Fields: { thread: '4123' },
      },
    },
    { title: 'a text that does not end', in: '<![LOG[Failed to open', fails: 'no entry of CMTrace' },
  ],
};

const CLOCK = String.raw`(?<_hour>\d{1,2})(?<_clock>:\d\d:\d\d(?:\.\d{1,9})?)(?<_minutes>[+-]\d{1,3})?`;
const DAY = String.raw`(?<_month>\d{1,2})-(?<_day>\d{1,2})-(?<_year>\d{4})`;

/** Writes the time as `AnyDate` reads it. */
function withTime({ _year, _month, _day, _hour, _clock, _minutes, ...groups }: Groups): Groups {
  const [month, day, hour] = [_month, _day, _hour].map(twoDigits);
  const zone = _minutes === undefined ? '' : offsetOf(-Number(_minutes));
  return { ...groups, time: `${_year}-${month}-${day} ${hour}${_clock}${zone}` };
}

/** `+01:00` of 60 minutes. */
function offsetOf(minutes: number): string {
  const ahead = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(ahead / 60))}:${twoDigits(ahead % 60)}`;
}

function twoDigits(part: string | number = ''): string {
  return String(part).padStart(2, '0');
}

const decode = patternDecoder({
  patterns: [
    new RegExp(
      String.raw`^<!\[LOG\[(?<message>.*)\]LOG\]!><time="${CLOCK}" date="${DAY}" component="(?<logger>[^"]*)" context="(?<context>[^"]*)" type="(?<level>\d*)" thread="(?<thread>[^"]*)" file="(?<source>[^":]*)(?::(?<source_line>\d{1,9}))?[^"]*">`,
      's',
    ),
    new RegExp(String.raw`^(?<message>.*?) {0,9}\$\$<(?<logger>[^<>]*)><${DAY} ${CLOCK}><thread=(?<thread>\d+)[^>]*>`, 's'),
  ],
  levels: { 1: 6, 2: 4, 3: 3 },
  numbers: { source_line: '' },
  hosts: [],
  refusal: 'no entry of CMTrace',
  refine: withTime,
});

export function process_message(): ProcessStatus {
  return decode();
}
