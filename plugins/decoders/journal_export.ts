/**
 * Decodes the output of `journalctl -o export`: a line `FIELD=value` for each field and an empty line behind each entry. For `-o json` use the
 * decoder json_lines, for the short forms journal_short or syslog.
 *
 * | Field | Becomes |
 * |---|---|
 * | _SOURCE_REALTIME_TIMESTAMP, else __REALTIME_TIMESTAMP | Timestamp |
 * | PRIORITY | Severity |
 * | MESSAGE | Payload |
 * | _HOSTNAME | Hostname |
 * | _PID, else SYSLOG_PID | Pid |
 * | SYSLOG_IDENTIFIER | the field programname |
 * | all others | fields of their names; those of addresses in the journal, `__CURSOR` and the like, are left out |
 *
 * A field with several lines, which journalctl writes in binary form with its length, keeps them all
 * (https://systemd.io/JOURNAL_EXPORT_FORMATS/).
 */
import { TYPE } from '../lib/parameters.ts';
import { RecordMessage } from '../lib/record_message.ts';

export const meta: PluginMeta = {
  name: 'journal_export',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes entries of the systemd journal, as journalctl -o export writes them.',
  split: 'journal',
  looks: [{ text: /^__REALTIME_TIMESTAMP=\d{15,17}\r?$/m, records: /^__(?:CURSOR|REALTIME_TIMESTAMP)=/ }],
  parameters: {
    type: TYPE,
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

const message = new RecordMessage({
  time: `${SOURCE_TIME}, ${TIME}`,
  severity: 'PRIORITY',
  message: 'MESSAGE',
  hostname: '_HOSTNAME',
  pid: '_PID, SYSLOG_PID',
});

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const record = text.slice(start, end);
  if (!HAS_TIME.test(record)) return noEntry;
  const better = HAS_SOURCE_TIME.test(record);
  message.begin();
  for (const { groups } of record.matchAll(FIELD)) {
    const { name = '', value = '' } = groups ?? {};
    const isShown = name === TIME ? !better : !name.startsWith(ADDRESS);
    if (isShown) message.add(name === 'SYSLOG_IDENTIFIER' ? 'programname' : name, value.replace(FOLD, '\n'));
  }
  return message.inject(record, 0, record.length);
}
