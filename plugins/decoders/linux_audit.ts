/**
 * Decodes the log of the Linux audit system, `/var/log/audit/audit.log` (auditd(8)):
 * `type=SYSCALL msg=audit(1614949679.250:24287): syscall=2 success=no pid=812 comm="cat"`.
 *
 * | Part | Becomes |
 * |---|---|
 * | `node=web1` | Hostname |
 * | type | the field type |
 * | time and number of the event, which all its records share | Timestamp and the field event |
 * | `name=value`, also within `msg='…'`, and what auditd adds for people | fields of their names: numbers, or texts without quotes |
 * | names, paths and commands in hexadecimal digits | their texts |
 * | process | Pid, too |
 * | `avc:  denied  { read write }` | the fields avc and permissions |
 * | all behind the number of the event | Payload, or the whole line with payload_keep |
 *
 * `?` and `(null)` set no field.
 */
import { auditFields } from '../lib/rules/audit_pairs.ts';
import { KEEP_LINE, TYPE } from '../lib/parameters.ts';
import { exactTime, nanosIn } from '../base/instant.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';

export const meta: PluginMeta = {
  name: 'linux_audit',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes the log of the Linux audit system.',
  columns: ['type', 'event', 'comm', 'exe', 'acct', 'res', 'success'],
  recordSummary: '{type}[ {op}][ {comm}| {exe}] · {acct} · [{res}|success={success}]',
  looks: [{ lines: /^(?:node=\S+ )?type=[A-Z]\w+ msg=audit\(\d{9,10}\.\d{3}:\d+\) ?: ?/, config: { type: 'audit' } }],
  parameters: {
    type: TYPE,
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a system call that failed',
      config: { type: 'audit' },
      in: 'node=web1 type=SYSCALL msg=audit(1614949679.250:24287): arch=c000003e syscall=2 success=no exit=-13 a0=7ffd a1=0 pid=812 auid=1000 tty=(none) comm="cat" exe="/bin/cat" key=(null)',
      out: {
        Timestamp: '1614949679250000000',
        Type: 'audit',
        Hostname: 'web1',
        Pid: 812,
        Payload:
          'arch=c000003e syscall=2 success=no exit=-13 a0=7ffd a1=0 pid=812 auid=1000 tty=(none) comm="cat" exe="/bin/cat" key=(null)',
        Fields: {
          type: 'SYSCALL',
          event: 24287,
          arch: 'c000003e',
          syscall: 2,
          success: 'no',
          exit: -13,
          a0: '7ffd',
          a1: '0',
          pid: 812,
          auid: 1000,
          comm: 'cat',
          exe: '/bin/cat',
        },
      },
    },
    {
      title: 'a login, with names for people',
      in: 'type=USER_LOGIN msg=audit(1614949679.250:7): pid=812 uid=0 msg=\'op=login acct="root" exe="/usr/sbin/sshd" hostname=? addr=192.0.2.1 res=failed\'\x1dUID="root"',
      out: {
        Timestamp: '1614949679250000000',
        Pid: 812,
        Payload: 'pid=812 uid=0 msg=\'op=login acct="root" exe="/usr/sbin/sshd" hostname=? addr=192.0.2.1 res=failed\'\x1dUID="root"',
        Fields: {
          type: 'USER_LOGIN',
          event: 7,
          pid: 812,
          uid: 0,
          op: 'login',
          acct: 'root',
          exe: '/usr/sbin/sshd',
          addr: '192.0.2.1',
          res: 'failed',
          UID: 'root',
        },
      },
    },
    {
      title: 'a command in hexadecimal digits',
      in: 'type=PROCTITLE msg=audit(1614949679.250:7): proctitle=636174002F6574632F736861646F77',
      out: {
        Timestamp: '1614949679250000000',
        Payload: 'proctitle=636174002F6574632F736861646F77',
        Fields: { type: 'PROCTITLE', event: 7, proctitle: 'cat /etc/shadow' },
      },
    },
    {
      title: 'SELinux',
      in: 'type=AVC msg=audit(1614949679.250:8): avc:  denied  { read open } for  pid=812 comm="httpd" name="x" permissive=0',
      out: {
        Timestamp: '1614949679250000000',
        Pid: 812,
        Payload: 'avc:  denied  { read open } for  pid=812 comm="httpd" name="x" permissive=0',
        Fields: { type: 'AVC', event: 8, avc: 'denied', permissions: 'read open', pid: 812, comm: 'httpd', name: 'x', permissive: 0 },
      },
    },
    { title: 'another log', in: 'Mar  5 13:07:59 box1 kernel: audit: type=1400', fails: 'no audit event' },
  ],
};

const HEAD =
  /^(?:node=(?<node>\S+) )?type=(?<type>\w+) msg=audit\((?<seconds>\d{1,10})\.(?<fraction>\d{1,9}):(?<event>\d{1,15})\) ?: {0,2}/;
const AVC = /^avc: {1,3}(?<avc>\w+) {1,3}\{ (?<permissions>[^}]*) \}/;
const MAX_PID = 2_147_483_647;

const refusal: ProcessStatus = [-1, 'no audit event'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  const head = HEAD.exec(line);
  if (head?.groups === undefined) return refusal;
  const { node, type: kind = '', seconds = '', fraction = '', event = '' } = head.groups;
  const body = line.slice(head[0].length);
  const pairs = auditFields(body, 0, body.length, kind);
  const fields: LogField[] = [{ name: 'type', value: kind }, { name: 'event', value: Number(event) }, ...decisionOf(body), ...pairs];
  const message: LogMessage = {
    Timestamp: exactTime(Number(seconds), nanosIn(fraction, 0, fraction.length)),
    Payload: keepPayload ? line : body,
    Fields: fields,
  };
  const pid = pairs.find(({ name }) => name === 'pid')?.value;
  if (typeof pid === 'number' && pid >= 0 && pid <= MAX_PID) message.Pid = pid;
  if (node !== undefined) message.Hostname = node;
  if (type !== null) message.Type = type;
  return writer.inject(message);
}

/** Decision of SELinux. */
function decisionOf(body: string): LogField[] {
  const groups = AVC.exec(body)?.groups;
  return groups === undefined ? [] : Object.entries(groups).map(([name, value]) => ({ name, value }));
}
