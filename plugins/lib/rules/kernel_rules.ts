/** Messages of the Linux kernel about packets, processes and devices. */
import { PairReader } from '../key_values.ts';
import { fieldMaker, MessageRules } from './message_rules.ts';
import type { LogField } from '../../modules/table_writer.ts';

const fieldOf = fieldMaker({
  numbers: {
    LEN: '',
    TTL: '',
    ID: '',
    SPT: '',
    DPT: '',
    WINDOW: '',
    URGP: '',
    TYPE: '',
    CODE: '',
    SEQ: '',
    HOPLIMIT: '',
    FLOWLBL: '',
    UID: '',
    GID: '',
    process_pid: '',
    error: '',
    sector: '',
    audit_type: '',
    audit_serial: '',
    total_vm: 'kB',
    anon_rss: 'kB',
    file_rss: 'kB',
    blocked: 's',
  },
  hosts: ['SRC', 'DST'],
});

const RULES = [
  {
    event: 'oom_kill',
    pattern:
      /^(?:Memory cgroup out of memory|Out of memory)(?: \([^)]*\))?: Kill(?:ed)? process (?<process_pid>\d+) \((?<process>[^)]*)\)(?:,? .*?total-vm:(?<total_vm>\d+)kB, anon-rss:(?<anon_rss>\d+)kB, file-rss:(?<file_rss>\d+)kB)?/,
  },
  {
    event: 'segfault',
    pattern:
      /^(?<process>[^[]+)\[(?<process_pid>\d+)\]: segfault at (?<address>[0-9a-f]+) ip (?<ip>[0-9a-f]+) sp (?<sp>[0-9a-f]+) error (?<error>\d+)(?: in (?<object>[^[ ]+)\[)?/,
  },
  {
    event: 'trap',
    pattern:
      /^traps: (?<process>[^[]+)\[(?<process_pid>\d+)\] (?<trap>.*?) ip:(?<ip>[0-9a-f]+) sp:(?<sp>[0-9a-f]+) error:(?<error>\d+)(?: in (?<object>[^[ ]+)\[)?/,
  },
  { event: 'hung_task', pattern: /^INFO: task (?<process>.+):(?<process_pid>\d+) blocked for more than (?<blocked>\d+) seconds/ },
  {
    event: 'io_error',
    pattern:
      /^(?:blk_update_request: |print_req_error: )?(?:critical )?(?:I\/O|medium|target) error, dev (?<device>\w+), sector (?<sector>\d+)/,
  },
  {
    event: 'filesystem_error',
    pattern: /^(?<filesystem>EXT[234]-fs|BTRFS|XFS) (?:error|warning|critical) ?\((?:device )?(?<device>[^)]+)\)/,
  },
  {
    event: 'link',
    word: 'ink ',
    pattern: /^(?:.*? )?(?<device>[\w.@-]+): (?:NIC )?[Ll]ink (?:is |becomes )?(?<state>[Uu]p|[Dd]own|ready)\b/,
  },
];
const AUDIT = /^audit: type=(?<audit_type>\d+) audit\((?<audit_time>[\d.]+):(?<audit_serial>\d+)\): */;
const PACKET = /^(?:.*?[ \]])??(?=IN=\S* OUT=)/;

const rules = new MessageRules(RULES, fieldOf);
const auditRule = new MessageRules([{ event: 'audit', pattern: AUDIT }], fieldOf);
const pairs = new PairReader({ separator: ' ', assignment: '=' });

/** The field event, and those that say more about it; none for messages of unknown forms. */
export function kernelFields(message: string): LogField[] {
  const packet = message.includes(' OUT=') ? PACKET.exec(message) : null;
  if (packet !== null) return packetFields(packet[0].trim(), message, packet[0].length);
  const audit = AUDIT.exec(message);
  if (audit === null) return rules.fieldsOf(message);
  return [...auditRule.fieldsOf(message), ...pairFields(message, audit[0].length, message.length)];
}

/** A line of netfilter's LOG target. An error message of ICMP repeats the packet it is about in brackets; that one is left out. */
function packetFields(prefix: string, message: string, at: number): LogField[] {
  const inner = message.indexOf(' [SRC=', at);
  const fields: LogField[] = [{ name: 'event', value: 'packet' }];
  if (prefix !== '') fields.push({ name: 'prefix', value: prefix });
  return [...fields, ...pairFields(message, at, inner < 0 ? message.length : inner)];
}

function pairFields(text: string, at: number, end: number): LogField[] {
  const fields: LogField[] = [];
  pairs.begin(text, at, end);
  while (pairs.next()) {
    if (pairs.value === null) fields.push({ name: pairs.name, value: true });
    else if (pairs.value !== '') fields.push(fieldOf(pairs.name, pairs.value));
  }
  return fields;
}
