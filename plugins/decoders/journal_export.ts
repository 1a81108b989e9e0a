/**
 * Decodes the output of `journalctl -o export`: a line `FIELD=value` for each field and an empty line behind each entry; with `records` also that of
 * `-o verbose`, a line with the time and an indented line for each field. For `-o json` use the decoder json_lines, for the short forms journal_short or syslog.
 *
 * | Field | Becomes |
 * |---|---|
 * | _SOURCE_REALTIME_TIMESTAMP, else __REALTIME_TIMESTAMP or the time of verbose | Timestamp |
 * | PRIORITY | Severity |
 * | MESSAGE | Payload, or headers and fields when it is JSON, logfmt or a record of a form that is known |
 * | _HOSTNAME | Hostname |
 * | _PID, else SYSLOG_PID | Pid |
 * | SYSLOG_IDENTIFIER | the field programname |
 * | all others | fields of their names; those of addresses in the journal, `__CURSOR` and the like, are left out |
 *
 * A field with several lines, which journalctl writes in binary form with its length, keeps them all
 * (https://systemd.io/JOURNAL_EXPORT_FORMATS/).
 */
import { Envelope } from '../lib/envelope.ts';
import { TYPE, UNWRAP, ZONE } from '../lib/parameters.ts';
import { RecordMessage } from '../lib/record_message.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'journal_export',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes entries of the systemd journal, as journalctl -o export and -o verbose write them.',
  split: {
    by: 'records',
    cases: { export: 'journal', verbose: { before: /[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^[\n]{1,20} \[s=/, preamble: /^-- |^$/ } },
  },
  recordSummary: SYSLOG_SUMMARY,
  looks: [
    { text: /^__REALTIME_TIMESTAMP=\d{15,17}\r?$/m, records: /^__(?:CURSOR|REALTIME_TIMESTAMP)=/ },
    {
      text: /(?:^|\n)[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^[\n]{1,20} \[s=[0-9a-f]{4,32};[^\n]{1,200}\]\n {4}[A-Z0-9_]{1,64}=/,
      lines: /^[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d|^ {4}|^-- /,
      config: { records: 'verbose' },
    },
  ],
  parameters: {
    records: {
      type: 'string',
      summary: 'The form of the entries: export, or verbose.',
      default: 'export',
      values: ['export', 'verbose'],
    },
    tz: ZONE,
    type: TYPE,
    unwrap: UNWRAP,
    payload_keep: { type: 'bool', summary: 'Keep the entry as Payload; the message is a field then.', default: false },
  },
  examples: [
    {
      title: 'a login',
      in: '__CURSOR=s=1;i=2\n__REALTIME_TIMESTAMP=1614949679250000\n_BOOT_ID=7f9c\nPRIORITY=6\nSYSLOG_IDENTIFIER=sshd\n_HOSTNAME=box1\n_PID=4411\nMESSAGE=Accepted publickey for root\n_SYSTEMD_UNIT=ssh.service\n',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 6,
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'Accepted publickey for root',
        Fields: { _BOOT_ID: '7f9c', programname: 'sshd', _SYSTEMD_UNIT: 'ssh.service' },
      },
    },
    {
      title: 'a message of a program in a container',
      config: { type: 'journal' },
      in: '__REALTIME_TIMESTAMP=1614949679250000\n_SOURCE_REALTIME_TIMESTAMP=1614949679000001\nMESSAGE=a=b\nCONTAINER_NAME=web\n',
      out: { Timestamp: '1614949679000001000', Type: 'journal', Payload: 'a=b', Fields: { CONTAINER_NAME: 'web' } },
    },
    {
      title: 'a message of several lines, cut by `split`',
      in: '__REALTIME_TIMESTAMP=1614949679250000\nMESSAGE=Traceback:\n   File "a.py"\n PRIORITY=0\nPRIORITY=3\n',
      out: { Timestamp: '1614949679250000000', Severity: 3, Payload: 'Traceback:\n  File "a.py"\nPRIORITY=0' },
    },
    {
      title: 'verbose, with a message of two lines',
      config: { records: 'verbose' },
      in: 'Fri 2021-03-05 14:07:59.250123 CET [s=739a;i=4ece7;b=6c7c]\n    PRIORITY=3\n    SYSLOG_IDENTIFIER=app\n    _PID=4411\n    MESSAGE=failed:\n              no route\n    _HOSTNAME=box1\n',
      out: {
        Timestamp: '1614949679250123000',
        Severity: 3,
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'failed:\n  no route',
        Fields: { programname: 'app' },
      },
    },
    { title: 'pairs of another log', in: 'level=info msg=x', fails: 'no __REALTIME_TIMESTAMP' },
  ],
};

const noEntry: ProcessStatus = [-1, 'no __REALTIME_TIMESTAMP'];
/** The name in capitals that a field of the journal has, and its value, whose further lines begin with a blank. */
const FIELD = /(?:^|\n)(?<name>[A-Z0-9_]+)=(?<value>[^\n]*?(?=\r?(?:\n(?! )|$))|[^\n]*(?:\n [^\n]*)+)/g;
const FOLD = /\n /g;
const TIME = '__REALTIME_TIMESTAMP';
const SOURCE_TIME = '_SOURCE_REALTIME_TIMESTAMP';
const HAS_TIME = /(?:^|\n)__REALTIME_TIMESTAMP=/;
const HAS_SOURCE_TIME = /(?:^|\n)_SOURCE_REALTIME_TIMESTAMP=/;
const ADDRESS = '__';

const envelope = new Envelope();
const open: Envelope['open'] = (text, time) => envelope.open(text, time);

const message = new RecordMessage({
  time: `${SOURCE_TIME}, ${TIME}`,
  severity: 'PRIORITY',
  message: 'MESSAGE',
  hostname: '_HOSTNAME',
  pid: '_PID, SYSLOG_PID',
});

const VERBOSE = /^[A-Z][a-z]{2} (?<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})? [A-Za-z0-9+:-]{1,6}) \[s=[^\n]*/;
/** A field of verbose, or a further line of it, which is indented as far as its value. */
const INDENTED = /^ {4}(?<name>[A-Z0-9_]+)=/;

/** An entry of verbose in the form of export; null when it is none. */
function exported(entry: string): string | null {
  const time = VERBOSE.exec(entry)?.groups?.['time'];
  if (time === undefined) return null;
  const lines = [`${TIME}=${time}`];
  let indent = 0;
  for (const line of entry.trimEnd().split('\n').slice(1)) {
    const name = INDENTED.exec(line)?.groups?.['name'];
    if (name !== undefined) indent = name.length + 5;
    lines.push(name === undefined ? ` ${line.slice(0, indent).trim()}${line.slice(indent)}` : line.slice(4));
  }
  return lines.join('\n');
}

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const written = text.slice(start, end);
  const record = exported(written) ?? written;
  if (!HAS_TIME.test(record)) return noEntry;
  const better = HAS_SOURCE_TIME.test(record);
  message.begin();
  for (const { groups } of record.matchAll(FIELD)) {
    const { name = '', value = '' } = groups ?? {};
    const isShown = name === TIME ? !better : !name.startsWith(ADDRESS);
    if (isShown) message.add(name === 'SYSLOG_IDENTIFIER' ? 'programname' : name, value.replace(FOLD, '\n'));
  }
  return message.inject(written, 0, written.length, {}, open);
}
