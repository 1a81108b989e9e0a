/**
 * Decodes messages of the kernel of Linux: `/var/log/kern.log`, the output of dmesg (also with -r, -T, -x, -d or --time-format iso), and records of `/dev/kmsg`.
 *
 * | Part | Becomes |
 * |---|---|
 * | date, host, program and priority of a line of syslog | what the decoder syslog makes of them |
 * | priority of dmesg -r, dmesg -x and /dev/kmsg | Severity and the field syslogfacility |
 * | time since the start `[12345.678901]` | the field uptime with the representation `s` |
 * | time of dmesg -T, which is in the zone of tz, and of --time-format iso | Timestamp |
 * | number of the record in /dev/kmsg | the field sequence |
 * | the rest | Payload |
 *
 * When the message has a known form, the field event names the form and further fields hold its values:
 *
 * | event | Further fields, as far as the message has them |
 * |---|---|
 * | packet, of netfilter's LOG target and of UFW | prefix, and each value under its name: IN, OUT, MAC, SRC, DST, PROTO, SPT, DPT …; flags such as SYN are true |
 * | audit, also of AppArmor | audit_type, audit_time, audit_serial, and each value under its name |
 * | oom_kill | process, process_pid, total_vm, anon_rss, file_rss |
 * | segfault, trap | process, process_pid, address, ip, sp, error, object, trap |
 * | hung_task | process, process_pid, blocked |
 * | io_error, filesystem_error, link | device, sector, filesystem, state |
 */
import { KERNEL_LINE, LEVEL_LINE } from '../lib/syslog/syslog_looks.ts';
import { AnyDate } from '../modules/any_date.ts';
import { stringConfig } from '../modules/config.ts';
import { kernelFields } from '../lib/rules/kernel_rules.ts';
import { TYPE, ZONE } from '../lib/parameters.ts';
import { recordEnd } from '../base/scan.ts';
import { PINO, SeverityScale } from '../lib/header/severity.ts';
import { FormatDate } from '../base/strftime.ts';
import { SyslogMessage } from '../lib/syslog/syslog_message.ts';
import { facilityIn } from '../lib/syslog/syslog_words.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { configuredClock } from '../modules/time_zone.ts';

export const meta: PluginMeta = {
  name: 'linux_kern',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes messages of the kernel from /var/log/kern.log, dmesg and /dev/kmsg.',
  columns: ['event'],
  recordSummary: '{Payload}',
  looks: [
    {
      lines:
        /^(?:<\d{1,3}>|[a-z]+\d? *:[a-z]+ *: )?(?:\[ *\d{1,8}\.\d{6}(?: <[ \d.]{1,20}\d>)?\](?:\[ *[TC]\d+\])?|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\]) |^\d{1,4},\d+,\d+,[^;,]*(?:,[^;]*)?;/,
      least: 0.95,
      config: { type: 'kernel' },
    },
    { lines: KERNEL_LINE, not: LEVEL_LINE, least: 0.95, config: { type: 'kernel' }, rank: 1 },
  ],
  parameters: {
    type: TYPE,
    tz: ZONE,
  },
  examples: [
    {
      title: 'a packet that the firewall dropped',
      in: {
        Payload:
          'Mar  5 13:07:59 box1 kernel: [181549.399862] [UFW BLOCK] IN=eth0 OUT= SRC=192.0.2.7 DST=198.51.100.5 LEN=60 TOS=0x00 PROTO=TCP SPT=13851 DPT=23 SYN',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Payload: '[UFW BLOCK] IN=eth0 OUT= SRC=192.0.2.7 DST=198.51.100.5 LEN=60 TOS=0x00 PROTO=TCP SPT=13851 DPT=23 SYN',
        Fields: {
          programname: 'kernel',
          uptime: { value: 181549.399862, representation: 's' },
          event: 'packet',
          prefix: '[UFW BLOCK]',
          IN: 'eth0',
          SRC: { value: '192.0.2.7', representation: 'ipv4' },
          DST: { value: '198.51.100.5', representation: 'ipv4' },
          LEN: 60,
          TOS: '0x00',
          PROTO: 'TCP',
          SPT: 13851,
          DPT: 23,
          SYN: true,
        },
      },
    },
    {
      title: 'dmesg, when memory ran out',
      config: { type: 'kernel' },
      in: '[  912.250000] Out of memory: Killed process 4411 (java) total-vm:8192000kB, anon-rss:4096000kB, file-rss:0kB, shmem-rss:0kB, UID:1000',
      out: {
        Type: 'kernel',
        Payload: 'Out of memory: Killed process 4411 (java) total-vm:8192000kB, anon-rss:4096000kB, file-rss:0kB, shmem-rss:0kB, UID:1000',
        Fields: {
          uptime: { value: 912.25, representation: 's' },
          event: 'oom_kill',
          process_pid: 4411,
          process: 'java',
          total_vm: { value: 8192000, representation: 'kB' },
          anon_rss: { value: 4096000, representation: 'kB' },
          file_rss: { value: 0, representation: 'kB' },
        },
      },
    },
    {
      title: 'a record of /dev/kmsg',
      in: '6,339,5140900,-;NET: Registered protocol family 10\n',
      out: {
        Severity: 6,
        Payload: 'NET: Registered protocol family 10',
        Fields: { syslogfacility: 0, uptime: { value: 5.1409, representation: 's' }, sequence: 339 },
      },
    },
    {
      title: 'a line of another log',
      in: 'NET: Registered protocol family 10',
      fails: 'neither a line of syslog nor a time since the start',
    },
  ],
};

const KERNEL = 'kernel';
const STAMP = /^\[ *(?<uptime>\d+\.\d+)(?: <[ \d.]{1,20}\d>)?\](?:\[ *[TC]\d+\])? ?/;
const DATED = /^\[(?<date>[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})\] ?/;
const KMSG = /^(?<priority>\d{1,4}),(?<sequence>\d+),(?<time>\d+),[^;]*;/;
/** Facility and level, as dmesg -x writes them in front of the time. */
const NAMED = /^(?<facility>kern|user|mail|daemon|auth|syslog|lpr|news|uucp|cron|authpriv|ftp|local[0-7]) *:(?<severity>[a-z]+) *: (?=\[)/;
const ISO = /^(?<iso>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{6}[+-]\d\d:\d\d) /;
const PRIORITIES = 8;

const refusal: ProcessStatus = [-1, 'neither a line of syslog nor a time since the start'];

const type = stringConfig('type', null);
const clock = configuredClock();
const date = new FormatDate('%a %b %e %T %Y');
const anyDate = new AnyDate(() => 0, clock);
const scale = new SeverityScale(PINO);
const syslog = new SyslogMessage();
const writer = new TableWriter();

export function process_message(): ProcessStatus {
  const span = payload_span();
  const record = span.text.slice(span.start, recordEnd(span));
  if (!ISO.test(record) && syslog.read(span)) return injectLine(span);
  const named = NAMED.exec(record);
  return named === null ? injectRing(record) : injectRing(record.slice(named[0].length), named.groups);
}

/** A line of syslog. Lines of other programs than the kernel are only that. */
function injectLine(span: PayloadSpan): ProcessStatus {
  const { text } = span;
  const { program, message } = syslog.line;
  if (!program.empty && text.slice(program.from, program.to) !== KERNEL) return syslog.inject(span);
  const words = text.slice(message.from, message.to);
  const stamp = STAMP.exec(words);
  const length = stamp?.[0].length ?? 0;
  message.set(message.from + length, message.to);
  return syslog.inject(span, [...uptimeField(stamp?.groups?.['uptime']), ...kernelFields(words.slice(length))]);
}

/** A record of the kernel's ring buffer, which has no host and mostly no date. */
function injectRing(record: string, named: Readonly<Record<string, string>> = {}): ProcessStatus {
  const result: LogMessage = {};
  const fields: LogField[] = [];
  const head = KMSG.exec(record) ?? STAMP.exec(record) ?? DATED.exec(record) ?? ISO.exec(record);
  if (head === null) return refusal;
  const { priority, sequence, time, uptime, date: written, iso } = head.groups ?? {};
  const { facility, severity = '' } = named;
  if (written !== undefined) {
    if (date.read(written, 0, written.length) < 0) return refusal;
    result.Timestamp = clock.timeOf(date);
  }
  const ns = iso === undefined ? null : anyDate.parse(iso);
  if (ns !== null) result.Timestamp = ns;
  if (facility !== undefined) {
    const level = scale.severityOf(severity);
    if (level >= 0) result.Severity = level;
    fields.push({ name: 'syslogfacility', value: facilityIn(facility, 0, facility.length) });
  }
  if (priority !== undefined) {
    result.Severity = Number(priority) % PRIORITIES;
    fields.push({ name: 'syslogfacility', value: Math.floor(Number(priority) / PRIORITIES) });
  }
  fields.push(...uptimeField(time === undefined ? uptime : String(Number(time) / 1e6)));
  if (sequence !== undefined) fields.push({ name: 'sequence', value: Number(sequence) });

  const words = record.slice(head[0].length);
  result.Payload = words;
  result.Fields = [...fields, ...kernelFields(words)];
  if (type !== null) result.Type = type;
  return writer.inject(result);
}

function uptimeField(seconds: string | undefined): LogField[] {
  return seconds === undefined ? [] : [{ name: 'uptime', value: Number(seconds), representation: 's' }];
}
