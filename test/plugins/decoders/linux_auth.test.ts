import { expect, test } from 'vitest';
import { decoder, type Decoded } from '../support/decode.ts';

const v4 = ['192.0.2.7', 'ipv4'];

/** The fields that a message brings beside those of any line of syslog. */
function fields(program: string, message: string): Decoded {
  const decoded = decoder('linux_auth')(`Mar  5 13:07:59 box1 ${program}[7]: ${message}`) as Decoded;
  const { Timestamp, Hostname, Pid, Payload, programname, ...rest } = decoded;
  expect({ Timestamp, Hostname, Pid, Payload, programname }).toEqual({
    ...{ Timestamp: '1614949679000000000', Hostname: 'box1', Pid: 7, Payload: message, programname: program },
  });
  return rest;
}

test.each([
  [
    'sshd',
    'message repeated 2 times: [ Failed password for root from 192.0.2.7 port 22 ssh2]',
    { event: 'login_failed', auth_method: 'password', user: 'root', remote_addr: v4, remote_port: 22, repeated: 2 },
  ],
  [
    'sshd',
    'PAM 2 more authentication failures; logname= uid=0 euid=0 tty=ssh ruser= rhost=192.0.2.7  user=root',
    { event: 'login_failed', by_uid: 0, tty: 'ssh', remote_addr: v4, user: 'root' },
  ],
  [
    'sshd',
    'Connection reset by invalid user a b 192.0.2.7 port 22 [preauth]',
    { event: 'disconnected', user: 'a b', remote_addr: v4, remote_port: 22 },
  ],
  ['su', 'Successful su for root by alice', { event: 'su', user: 'root', by_user: 'alice' }],
  [
    'sudo',
    'alice : PWD=/ ; USER=root ; COMMAND=/bin/ls',
    { event: 'sudo', by_user: 'alice', directory: '/', user: 'root', command: '/bin/ls' },
  ],
  [
    'sudo',
    'alice : TTY=pts/0 ; PWD=/ ; USER=root ; ENV=A=b C=d ; COMMAND=/bin/ls',
    { event: 'sudo', by_user: 'alice', tty: 'pts/0', directory: '/', user: 'root', command: '/bin/ls' },
  ],
  ['sshd', 'Timeout before authentication for 192.0.2.7 port 22', { event: 'disconnected', remote_addr: v4, remote_port: 22 }],
  [
    'sshd-session',
    'Unable to negotiate with 192.0.2.7 port 22: no matching key exchange method found. Their offer: x [preauth]',
    { event: 'login_refused', remote_addr: v4, remote_port: 22, reason: 'no matching key exchange method found. Their offer: x' },
  ],
  [
    'sshd',
    'Did not receive identification string from 192.0.2.7 port 22',
    { event: 'login_refused', remote_addr: v4, remote_port: 22, reason: 'Did not receive identification string' },
  ],
  [
    'sshd',
    'banner exchange: Connection from 192.0.2.7 port 22: invalid format',
    { event: 'login_refused', remote_addr: v4, remote_port: 22, reason: 'invalid format' },
  ],
  [
    'sshd',
    'error: PAM: Authentication failure for illegal user x from 192.0.2.7',
    { event: 'login_failed', user: 'x', remote_addr: v4, reason: 'Authentication failure' },
  ],
  ['gpasswd', 'user alice added by root to group sudo', { event: 'group_joined', user: 'alice', by_user: 'root', group: 'sudo' }],
  [
    'sshd',
    'Accepted password for alice from 192.0.2.7 port 22 ssh2',
    { event: 'login', auth_method: 'password', user: 'alice', remote_addr: v4, remote_port: 22 },
  ],
  [
    'sshd-session',
    'Accepted publickey for bob from 2001:db8::7 port 5 ssh2: RSA SHA256:x/y+z',
    {
      ...{ event: 'login', auth_method: 'publickey', user: 'bob', remote_addr: ['2001:db8::7', 'ipv6'], remote_port: 5 },
      ...{ key_type: 'RSA', key_fingerprint: 'SHA256:x/y+z' },
    },
  ],
  [
    'sshd',
    'Failed password for root from 192.0.2.7 port 22 ssh2',
    { event: 'login_failed', auth_method: 'password', user: 'root', remote_addr: v4, remote_port: 22 },
  ],
  [
    'sshd',
    'Failed password for invalid user admin from 192.0.2.7 port 22 ssh2',
    {
      ...{ event: 'login_failed', auth_method: 'password', reason: 'invalid user', user: 'admin', remote_addr: v4, remote_port: 22 },
    },
  ],
  [
    'sshd',
    'Failed none for invalid user  from 192.0.2.7 port 22 ssh2',
    {
      ...{ event: 'login_failed', auth_method: 'none', reason: 'invalid user', remote_addr: v4, remote_port: 22 },
    },
  ],
  [
    'sshd',
    'Invalid user x from y from 192.0.2.7 port 22',
    { event: 'login_failed', reason: 'Invalid user', user: 'x from y', remote_addr: v4, remote_port: 22 },
  ],
  ['sshd', 'Invalid user  from 192.0.2.7 port 22', { event: 'login_failed', reason: 'Invalid user', remote_addr: v4, remote_port: 22 }],
  [
    'sshd',
    'error: maximum authentication attempts exceeded for root from 192.0.2.7 port 22 ssh2 [preauth]',
    {
      ...{ event: 'login_failed', reason: 'maximum authentication attempts exceeded', user: 'root', remote_addr: v4, remote_port: 22 },
    },
  ],
  [
    'sshd',
    'User bob from 192.0.2.7 not allowed because not listed in AllowUsers',
    { event: 'login_refused', user: 'bob', remote_addr: v4, reason: 'not listed in AllowUsers' },
  ],
  [
    'sshd',
    'Received disconnect from 192.0.2.7 port 22:11: Bye Bye [preauth]',
    { event: 'disconnected', remote_addr: v4, remote_port: 22, reason: 'Bye Bye' },
  ],
  [
    'sshd',
    'Disconnected from authenticating user root 192.0.2.7 port 22 [preauth]',
    { event: 'disconnected', user: 'root', remote_addr: v4, remote_port: 22 },
  ],
  ['sshd', 'Disconnected from user alice 192.0.2.7 port 22', { event: 'disconnected', user: 'alice', remote_addr: v4, remote_port: 22 }],
  [
    'sshd',
    'Connection closed by invalid user admin 192.0.2.7 port 22 [preauth]',
    { event: 'disconnected', user: 'admin', remote_addr: v4, remote_port: 22 },
  ],
  ['sshd', 'Connection closed by 192.0.2.7 port 22', { event: 'disconnected', remote_addr: v4, remote_port: 22 }],
  ['sshd', 'Connection reset by 192.0.2.7 port 22 [preauth]', { event: 'disconnected', remote_addr: v4, remote_port: 22 }],
  [
    'sshd',
    'Disconnecting authenticating user root 192.0.2.7 port 22: Too many authentication failures [preauth]',
    {
      ...{ event: 'disconnected', user: 'root', remote_addr: v4, remote_port: 22, reason: 'Too many authentication failures' },
    },
  ],
  ['sshd', 'Server listening on :: port 22.', { event: 'listening', local_addr: ['::', 'ipv6'], local_port: 22 }],
  [
    'sshd',
    'pam_unix(sshd:session): session opened for user alice(uid=1000) by (uid=0)',
    {
      ...{ event: 'session_opened', pam_service: 'sshd', user: 'alice', uid: 1000, by_uid: 0 },
    },
  ],
  [
    'CRON',
    'pam_unix(cron:session): session opened for user root by root(uid=0)',
    { event: 'session_opened', pam_service: 'cron', user: 'root', by_user: 'root', by_uid: 0 },
  ],
  ['CRON', 'pam_unix(cron:session): session closed for user root', { event: 'session_closed', pam_service: 'cron', user: 'root' }],
  [
    'sshd',
    'pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=192.0.2.7  user=root',
    {
      ...{ event: 'login_failed', pam_service: 'sshd', by_uid: 0, tty: 'ssh', remote_addr: v4, user: 'root' },
    },
  ],
  ['passwd', 'pam_unix(passwd:chauthtok): password changed for alice', { event: 'password_changed', pam_service: 'passwd', user: 'alice' }],
  [
    'sudo',
    'alice : TTY=pts/0 ; PWD=/srv/a b ; USER=root ; GROUP=adm ; COMMAND=/bin/sh -c a ; b',
    {
      ...{ event: 'sudo', by_user: 'alice', tty: 'pts/0', directory: '/srv/a b', user: 'root', group: 'adm', command: '/bin/sh -c a ; b' },
    },
  ],
  [
    'sudo',
    '  bob : 3 incorrect password attempts ; TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/ls',
    {
      ...{
        event: 'sudo_refused',
        by_user: 'bob',
        reason: '3 incorrect password attempts',
        tty: 'pts/0',
        directory: '/',
        user: 'root',
        command: '/bin/ls',
      },
    },
  ],
  ['su', '(to root) alice on pts/0', { event: 'su', user: 'root', by_user: 'alice', tty: 'pts/0' }],
  ['su', 'FAILED SU (to root) alice on pts/0', { event: 'su_refused', user: 'root', by_user: 'alice', tty: 'pts/0' }],
  [
    'login',
    "FAILED LOGIN (1) on '/dev/tty1' FOR 'root', Authentication failure",
    {
      ...{ event: 'login_failed', tty: '/dev/tty1', user: 'root', reason: 'Authentication failure' },
    },
  ],
  ['login', 'LOGIN ON tty1 BY alice', { event: 'login', tty: 'tty1', user: 'alice' }],
  ['systemd-logind', 'New session 4 of user root.', { event: 'session_opened', session: '4', user: 'root' }],
  [
    'systemd-logind',
    "New session '4' of user 'root' with class 'user' and type 'tty'.",
    { event: 'session_opened', session: '4', user: 'root' },
  ],
  ['systemd-logind', 'Removed session c12.', { event: 'session_closed', session: 'c12' }],
  [
    'useradd',
    'new user: name=carl, UID=1001, GID=1001, home=/home/carl, shell=/bin/bash, from=/dev/pts/0',
    {
      ...{ event: 'user_added', user: 'carl', uid: 1001, gid: 1001, home: '/home/carl', shell: '/bin/bash' },
    },
  ],
  ['groupadd', 'new group: name=carl, GID=1001', { event: 'group_added', group: 'carl', gid: 1001 }],
  ['userdel', "delete user 'carl'", { event: 'user_removed', user: 'carl' }],
  ['groupdel', "group 'carl' removed", { event: 'group_removed', group: 'carl' }],
  ['groupadd', 'group added to /etc/group: name=carl, GID=1001', { event: 'group_added', group: 'carl', gid: 1001 }],
  ['groupdel', "group 'carl' removed from /etc/group", { event: 'group_removed', group: 'carl' }],
  ['userdel', "removed group 'carl' owned by 'carl'", { event: 'group_removed', group: 'carl', user: 'carl' }],
  ['useradd', "add 'carl' to group 'sudo'", { event: 'group_joined', user: 'carl', group: 'sudo' }],
  ['useradd', "add 'carl' to shadow group 'sudo'", { event: 'group_joined', user: 'carl', group: 'sudo' }],
  ['usermod', "add 'carl' to group 'sudo'", { event: 'group_joined', user: 'carl', group: 'sudo' }],
  ['sshd', 'fatal: no hostkeys available', {}],
  ['cron', 'Accepted password for alice from 192.0.2.7 port 22 ssh2', {}],
  ['toString', 'x', {}],
])('%s: %s', (program, message, expected) => {
  expect(fields(program, message)).toEqual(expected);
});

test('all forms of syslog lines, with structured data', () => {
  const line = '<38>1 2021-03-05T13:07:59Z box1 sshd 7 - [meta n="1"] Accepted password for alice from 192.0.2.7 port 22 ssh2';
  expect(decoder('linux_auth', { type: 'auth' })(line)).toEqual({
    ...{ Timestamp: '1614949679000000000', Type: 'auth', Severity: 6, Hostname: 'box1', Pid: 7 },
    ...{ Payload: 'Accepted password for alice from 192.0.2.7 port 22 ssh2', programname: 'sshd', syslogfacility: 4, 'meta.n': '1' },
    ...{ event: 'login', auth_method: 'password', user: 'alice', remote_addr: v4, remote_port: 22 },
  });
});

test('no line of syslog', () => {
  expect(decoder('linux_auth')('junk')).toBe('refused: neither a priority nor a date');
});
