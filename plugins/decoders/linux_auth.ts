/**
 * Decodes the log of logins and accounts of Linux: `/var/log/auth.log`, or `/var/log/secure`.
 *
 * Lines are decoded as by the decoder syslog. For known messages of sshd, sudo, su, login, systemd-logind, useradd and related programs, and of PAM
 * modules, the field event names what happened, and further fields hold the accounts and addresses:
 *
 * | event | Further fields, as far as the message has them |
 * |---|---|
 * | login, login_failed, login_refused | user, by_user, auth_method, remote_addr, remote_port, tty, key_type, key_fingerprint, reason, pam_service |
 * | disconnected, listening | user, remote_addr, remote_port, reason; local_addr, local_port |
 * | session_opened, session_closed | user, uid, by_user, by_uid, session, pam_service |
 * | sudo, sudo_refused, su, su_refused | by_user (who), user (as whom), tty, directory, group, command, reason |
 * | user_added, user_removed, group_added, group_removed, group_joined, password_changed | user, uid, group, gid, home, shell, pam_service |
 *
 * When rsyslog combined repeated messages into one, the field repeated holds their number. remote_addr and local_addr have the representation
 * `ipv4`, `ipv6` or `hostname`. All other messages are decoded as plain syslog lines.
 */
import { AUTH_LINE, LEVEL_LINE, SYSLOG_LINE } from '../lib/syslog/syslog_looks.ts';
import { authFields } from '../lib/rules/auth_rules.ts';
import { TYPE, ZONE } from '../lib/parameters.ts';
import { SyslogMessage } from '../lib/syslog/syslog_message.ts';
import { SYSLOG_SUMMARY } from '../lib/summaries.ts';

export const meta: PluginMeta = {
  name: 'linux_auth',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes logins, sessions, sudo and changes of accounts from /var/log/auth.log.',
  columns: ['programname', 'event', 'user', 'remote_addr'],
  recordSummary: SYSLOG_SUMMARY,
  looks: [{ lines: [SYSLOG_LINE, AUTH_LINE], not: LEVEL_LINE, config: { type: 'auth' }, rank: 1 }],
  parameters: {
    type: TYPE,
    tz: ZONE,
  },
  examples: [
    {
      title: 'a login with a key',
      in: {
        Payload: 'Mar  5 13:07:59 box1 sshd[4411]: Accepted publickey for alice from 192.0.2.7 port 50122 ssh2: ED25519 SHA256:abc',
        Timestamp: '1614949680000000000',
      },
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'Accepted publickey for alice from 192.0.2.7 port 50122 ssh2: ED25519 SHA256:abc',
        Fields: {
          programname: 'sshd',
          event: 'login',
          auth_method: 'publickey',
          user: 'alice',
          remote_addr: { value: '192.0.2.7', representation: 'ipv4' },
          remote_port: 50122,
          key_type: 'ED25519',
          key_fingerprint: 'SHA256:abc',
        },
      },
    },
    {
      title: 'a command as root',
      config: { type: 'auth' },
      in: '2021-03-05T13:07:59+00:00 box1 sudo:    alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/bin/systemctl restart nginx',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'auth',
        Hostname: 'box1',
        Payload: '   alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/bin/systemctl restart nginx',
        Fields: {
          programname: 'sudo',
          event: 'sudo',
          by_user: 'alice',
          tty: 'pts/0',
          directory: '/home/alice',
          user: 'root',
          command: '/bin/systemctl restart nginx',
        },
      },
    },
    {
      title: 'a message in other words',
      in: { Payload: 'Mar  5 13:07:59 box1 sshd[4411]: fatal: no hostkeys available', Timestamp: '1614949680000000000' },
      out: {
        Timestamp: '1614949679000000000',
        Hostname: 'box1',
        Pid: 4411,
        Payload: 'fatal: no hostkeys available',
        Fields: { programname: 'sshd' },
      },
    },
    { title: 'no line of syslog', in: 'Accepted publickey for alice', fails: 'neither a priority nor a date' },
  ],
};

/** The form in which rsyslog writes a repeated message. */
const REPEATED = /^message repeated (?<times>\d+) times: \[ ?(?<words>.*)\]$/s;

const refusal: ProcessStatus = [-1, 'neither a priority nor a date'];
const syslog = new SyslogMessage();

export function process_message(): ProcessStatus {
  const span = payload_span();
  if (!syslog.read(span)) return refusal;
  const { text } = span;
  const { program, message } = syslog.line;
  const written = text.slice(message.from, message.to);
  const { times, words = written } = REPEATED.exec(written)?.groups ?? {};
  const fields = authFields(text.slice(program.from, program.to), words);
  if (times !== undefined) fields.push({ name: 'repeated', value: Number(times) });
  return syslog.inject(span, fields);
}
