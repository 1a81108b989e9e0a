/**
 * Decodes the short forms of journalctl: `-o short`, short-precise, short-iso, short-iso-precise, short-full, short-unix, short-monotonic, short-delta and
 * with-unit. Lines that follow an entry and begin with white space belong to it.
 *
 * | Part | Becomes |
 * |---|---|
 * | date, or seconds since 1970 | Timestamp; without a zone it is in that of tz |
 * | time since the start `[ 1234.567890]` of short-monotonic and short-delta | the field uptime with the representation `s`, and with boot_time the Timestamp |
 * | time since the entry before, of short-delta | the field delta with the representation `s` |
 * | host | Hostname |
 * | program or unit | the field programname |
 * | process | Pid when it is a number, else the field procid |
 * | the rest | Payload, or the whole entry with payload_keep |
 * | the same when it is JSON, logfmt or a record of a form that is known | headers and fields, as the decoder of that form makes them |
 *
 * A time since the start is no date: the Timestamp is then the time at which the entry was read, unless boot_time says when the machine was started
 * (`uptime -s` and `journalctl --list-boots` tell that). Lines such as `-- Boot 7f9c… --` are passed on undecoded.
 */
import { AnyDate } from '../modules/any_date.ts';
import { stringConfig } from '../modules/config.ts';
import { configuredClock } from '../modules/time_zone.ts';
import { SYSLOG_COLUMNS } from '../lib/columns.ts';
import { Envelope } from '../lib/envelope.ts';
import { KEEP_RECORD, TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { patternDecoder } from '../lib/pattern_decoder.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'journal_short',
  kind: 'decoder',
  comments: true,
  stateless: true,
  summary: 'Decodes what journalctl prints in its short forms, also with times since the start of the machine.',
  split: { before: /\S/ },
  columns: SYSLOG_COLUMNS,
  recordSummary: SYSLOG_SUMMARY,
  looks: [
    {
      lines: /^\[ *\d+\.\d{6}(?: <[ \d.*]+>| {10,20})?\] [\w.-]+ [^\s:[\]]+(?:\[\d+\])?: |^-- |^\s/,
      text: /^\[ *\d+\.\d{6}(?: <[ \d.*]+>| {10,20})?\] [\w.-]+ [^\s:[\]]+\[\d+\]: /m,
      least: 0.95,
      config: { type: 'journal' },
    },
    {
      text: /^-- (?:Logs begin at|Journal begins at|Boot [0-9a-f]{32}|No entries)/,
      lines: /^(?:[A-Z][a-z]{2} (?:[ \d]\d \d\d:|\d{4}-)|\d{4}-\d\d-\d\dT|\d{9,10}\.\d{6} |\[ *\d+\.\d{6}|-- |\s)/,
      config: { type: 'journal' },
    },
  ],
  parameters: {
    boot_time: { type: 'string', summary: 'When the machine was started: a date or seconds since 1970, for times since the start.' },
    tz: ZONE,
    type: TYPE,
    unwrap: UNWRAP,
    payload_keep: KEEP_RECORD,
  },
  examples: [
    {
      title: 'short-monotonic',
      in: '[    1.234567] box1 systemd[1]: Started Journal Service.\n',
      out: {
        Hostname: 'box1',
        Pid: 1,
        Payload: 'Started Journal Service.',
        Fields: { uptime: { value: 1.234567, representation: 's' }, programname: 'systemd' },
      },
    },
    {
      title: 'short-delta, with the start of the machine',
      config: { boot_time: '2021-03-05T13:07:58Z', type: 'journal' },
      in: '[    1.250001 <    0.000250 >] box1 kernel: eth0: link up',
      out: {
        Timestamp: '1614949679250001000',
        Type: 'journal',
        Hostname: 'box1',
        Payload: 'eth0: link up',
        Fields: {
          uptime: { value: 1.250001, representation: 's' },
          delta: { value: 0.00025, representation: 's' },
          programname: 'kernel',
        },
      },
    },
    {
      title: 'short-full, with a message of two lines',
      in: 'Fri 2021-03-05 14:07:59 CET box1 app[4411]: failed:\n                                   no route',
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'failed:\n                                   no route',
        Fields: { programname: 'app' },
      },
    },
    { title: 'a line of another log', in: 'Started Journal Service.', fails: 'no time in front of a host' },
  ],
};

/** In any language. */
const WEEKDAY = String.raw`[A-Za-z\u00c0-\uffff]{1,5}\.?`;
const TIME = String.raw`\d\d:\d\d:\d\d(?:\.\d{6})?`;
const DATES = [
  String.raw`[A-Z][a-z]{2} [ \d]\d ${TIME}`,
  String.raw`\d{4}-\d\d-\d\dT${TIME}(?:Z|[+-]\d\d:?\d\d)`,
  String.raw`(?:${WEEKDAY} )?\d{4}-\d\d-\d\d ${TIME} (?:[A-Z]{3,5}|[+-]\d\d(?::?\d\d)?)`,
  String.raw`\d{9,10}\.\d{6}`,
];
const ENTRY = String.raw`(?<hostname>\S+) (?<programname>[^\s:[\]][^:[\]\n]*)?(?:\[(?<process>[^\]\s]*)\])?: ?(?<message>[^]*)$`;
const WEEKDAY_OF_DATE = new RegExp(`^${WEEKDAY} (?=\\d{4}-)`);

const bootNs = startOf(stringConfig('boot_time', ''));
const envelope = new Envelope();
const decode = patternDecoder(
  {
    patterns: [
      new RegExp(String.raw`^\[ *(?<uptime>\d+\.\d{6})(?: <\s{0,20}(?<delta>\d+\.\d{6})?[ *]{0,20}>| {1,20})?\] ${ENTRY}`),
      new RegExp(`^(?<time>${DATES.join('|')}) ${ENTRY}`),
    ],
    numbers: { uptime: 's', delta: 's' },
    hosts: [],
    refusal: 'no time in front of a host',
    refine: ({ time, ...groups }) => ({
      ...groups,
      time: time === undefined ? sinceStart(groups['uptime']) : time.replace(WEEKDAY_OF_DATE, ''),
    }),
  },
  (text, time) => envelope.open(text, time),
);

export function process_message(): ProcessStatus {
  const { text, start } = payload_span();
  return text.startsWith('-- ', start) ? 0 : decode();
}

/** Nanoseconds since 1970 of the parameter boot_time; null when it is not set. */
function startOf(time: string): bigint | null {
  if (time === '') return null;
  const ns = new AnyDate(() => 0, configuredClock()).parse(time);
  if (ns === null) throw new TypeError(`boot_time is not a time that can be read: ${time}`);
  return ns;
}

/** Seconds since 1970 with their fraction, as a text. */
function sinceStart(uptime = ''): string {
  if (bootNs === null) return '';
  const [seconds = '', fraction = ''] = uptime.split('.');
  const ns = bootNs + BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  return `${ns / 1_000_000_000n}.${String(ns % 1_000_000_000n).padStart(9, '0')}`;
}
