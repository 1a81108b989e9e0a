/**
 * Decodes the output of Android's logcat in its formats threadtime (the default), time, brief, tag, process, thread and long, of Android Studio, also with the
 * modifiers year, zone, UTC, epoch, usec and uid: `03-05 13:07:59.250  1234  5678 I ActivityManager: Displayed org.example/.Main`.
 *
 * | Part | Becomes |
 * |---|---|
 * | date, which is in the zone of tz | Timestamp; a date without a year is one of the last twelve months |
 * | level: F and A fatal, E error, W warning, I info, D debug, V verbose | Severity: 2, 3, 4, 6, 7, 7 |
 * | process, thread | Pid, and the field tid |
 * | user, of the modifier uid | the field uid |
 * | package, of Android Studio | the field package |
 * | tag | Logger |
 * | the rest, of long over several lines | Payload, or the whole record with payload_keep |
 * | name of the buffer in a line `--------- beginning of main` | the field buffer |
 */
import { SHORT_MONTHS } from '../base/dates.ts';
import { KEEP_RECORD, TYPE, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';

const CLOCK = String.raw`(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,9}(?: [+-]\d{4})?`;

export const meta: PluginMeta = {
  name: 'android_logcat',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes what logcat of Android prints.',
  split: {
    before: /(?:\[ +)?(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.| {0,20}\d{9,10}\.\d{3,9} +\d|[VDIWEFA](?:\/|\( *\d)|-{5,} beginning of/,
  },
  columns: [],
  recordSummary: '{Logger}: {Payload:error}',
  looks: [
    {
      records: String.raw`^(?:${CLOCK}| {0,20}\d{9,10}\.\d{3,9}) +(?:\w+ +)?\d+ +\d+ [VDIWEFA] [^\n]{0,80}?: |^${CLOCK} +\d+-\d+(?:\/\S+ [VDIWEFA]\/| {1,40}\S.{0,80} [VDIWEFA]  )|^(?:${CLOCK} )?[VDIWEFA]/[^\n(]{0,80}\( *\d+\): |^\[ +${CLOCK} +\d+: *\d+ [VDIWEFA]/[^\n]{0,80}\]\n|^[VDIWEFA]/[\w.$:-]{1,60} {0,40}: |^-{5,20} beginning of `,
      least: 0.95,
      config: { type: 'logcat' },
    },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'threadtime',
      in: {
        Payload: '03-05 13:07:59.250  1234  5678 W ActivityManager: Slow operation: 52ms',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679250000000',
        Severity: 4,
        Logger: 'ActivityManager',
        Pid: 1234,
        Payload: 'Slow operation: 52ms',
        Fields: { tid: 5678 },
      },
    },
    {
      title: 'brief, which has no time',
      config: { type: 'android' },
      in: { Payload: 'E/AndroidRuntime( 1234): FATAL EXCEPTION: main', Timestamp: '1614949680000000000' },
      out: { Type: 'android', Severity: 3, Logger: 'AndroidRuntime', Pid: 1234, Payload: 'FATAL EXCEPTION: main', Fields: {} },
    },
    {
      title: 'long, with a year and a zone',
      in: '[ 2021-03-05 14:07:59.250 +0100  1234: 5678 I/dalvikvm ]\nfirst\nsecond\n\n',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 6,
        Logger: 'dalvikvm',
        Pid: 1234,
        Payload: 'first\nsecond',
        Fields: { tid: 5678 },
      },
    },
    { title: 'a line of a stack trace alone', in: '\tat android.os.Looper.loop(Looper.java:193)', fails: 'no level of logcat' },
  ],
};

const NEWLINE = 10;
const TIME = String.raw`(?:(?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+(?: [+-]\d{4})?)|(?<_day>\d\d-\d\d) (?<_clock>\d\d:\d\d:\d\d\.\d+)(?: (?<_zone>[+-]\d{4}))?|(?<_epoch>\d{9,10}\.\d+))`;
const LEVEL = '(?<level>[VDIWEFA])';
const TAG = String.raw`(?<logger>[^\n]*?) {0,40}`;
const MESSAGE = String.raw`(?<message>.*)$`;

const decode = patternDecoder({
  patterns: [
    // Android Studio, before 2022 and since then.
    String.raw`^${TIME} {1,40}(?<process>\d+)-(?<tid>\d+)/(?<package>\S+) ${LEVEL}/${TAG}: ${MESSAGE}`,
    String.raw`^${TIME} {1,40}(?<process>\d+)-(?<tid>\d+) {1,40}(?<logger>\S[^\n]{0,80}?) {1,40}(?<package>[\w.:-]{1,200}) {1,60}${LEVEL}  ${MESSAGE}`,
    String.raw`^ {0,40}${TIME} {1,40}(?:(?<uid>[A-Za-z]\w*|\d+(?= +\d+ +\d+ )) {1,40})?(?<process>\d+) {1,40}(?<tid>\d+) ${LEVEL} ${TAG}: ${MESSAGE}`,
    String.raw`^(?:${TIME} )?${LEVEL}/${TAG}\( *(?<process>\d+)\): ${MESSAGE}`,
    String.raw`^\[ {1,40}${TIME} {1,40}(?:(?<uid>\w+) *: *)?(?<process>\d+): *(?<tid>\d+) ${LEVEL}/${TAG}\]\n${MESSAGE}`,
    String.raw`^${LEVEL}\( *(?<process>\d+)(?:: *(?<tid>\d+))?\) ${MESSAGE}`,
    String.raw`^${LEVEL}/(?<logger>[\w.$:-]{1,60}?) {0,40}: ${MESSAGE}`,
    String.raw`^-{5,20} beginning of (?<buffer>\w+)$`,
  ].map((pattern) => new RegExp(pattern, 's')),
  levels: { V: 7, D: 7, I: 6, W: 4, E: 3, F: 2, A: 2 },
  numbers: { tid: '' },
  hosts: [],
  refusal: 'no level of logcat',
  refine: ({ time, message, _day: day, _clock: clock = '', _zone: zone, _epoch: epoch, ...groups }) => ({
    ...groups,
    message: message === undefined ? undefined : withoutEmptyLines(message),
    time: day === undefined ? (time ?? epoch) : dateOf(day, clock, zone),
  }),
});

/** A date without a year in a form that is known everywhere. */
function dateOf(day: string, clock: string, zone: string | undefined): string {
  const date = `${SHORT_MONTHS[Number(day.slice(0, 2)) - 1] ?? '?'} ${day.slice(3)} ${clock}`;
  return zone === undefined ? date : `${date} ${zone}`;
}

/** The record without the line ends behind it: the format long has an empty line behind each record. */
function withoutEmptyLines(message: string): string {
  let to = message.length;
  while (to > 0 && message.charCodeAt(to - 1) === NEWLINE) to--;
  return message.slice(0, to);
}

export function process_message(): ProcessStatus {
  return decode();
}
