import { describe, expect, it } from 'vitest';
import { authFields } from '../../../../plugins/lib/rules/auth_rules.ts';

const read = (program: string, message: string): Record<string, unknown> =>
  Object.fromEntries(authFields(program, message).map(({ name, value }) => [name, value]));

describe('authFields', () => {
  it.each<[program: string, message: string, fields: Record<string, unknown>]>([
    [
      'cron',
      'pam_unix(cron:session): session opened for user root(uid=0) by (uid=0)',
      { event: 'session_opened', pam_service: 'cron', user: 'root', uid: 0, by_uid: 0 },
    ],
    ['su', 'pam_unix(su:session): session closed for user bob', { event: 'session_closed', pam_service: 'su', user: 'bob' }],
    [
      'sshd-session',
      'Failed password for invalid user x from 198.51.100.1 port 1 from 192.0.2.7 port 50122 ssh2',
      {
        event: 'login_failed',
        auth_method: 'password',
        reason: 'invalid user',
        user: 'x from 198.51.100.1 port 1',
        remote_addr: '192.0.2.7',
        remote_port: 50122,
      },
    ],
    ['sshd', 'Server listening on :: port 22.', { event: 'listening', local_addr: '::', local_port: 22 }],
    [
      'sshd',
      'Connection closed by authenticating user root 192.0.2.7 port 50122 [preauth]',
      { event: 'disconnected', user: 'root', remote_addr: '192.0.2.7', remote_port: 50122 },
    ],
    [
      'sudo',
      'bob : TTY=pts/0 ; PWD=/home/bob ; USER=root ; COMMAND=/bin/ls -l',
      { event: 'sudo', by_user: 'bob', tty: 'pts/0', directory: '/home/bob', user: 'root', command: '/bin/ls -l' },
    ],
    [
      'sudo',
      'bob : command not allowed ; TTY=pts/0 ; PWD=/ ; USER=root ; COMMAND=/bin/sh',
      {
        event: 'sudo_refused',
        by_user: 'bob',
        reason: 'command not allowed',
        tty: 'pts/0',
        directory: '/',
        user: 'root',
        command: '/bin/sh',
      },
    ],
    ['su', 'FAILED SU (to root) bob on pts/1', { event: 'su_refused', user: 'root', by_user: 'bob', tty: 'pts/1' }],
    ['login', 'LOGIN ON tty1 BY bob FROM box1', { event: 'login', tty: 'tty1', user: 'bob', remote_addr: 'box1' }],
    ['systemd-logind', 'Removed session 12.', { event: 'session_closed', session: '12' }],
    ['useradd', "add 'bob' to shadow group 'wheel'", { event: 'group_joined', user: 'bob', group: 'wheel' }],
    ['groupadd', 'new group: name=shop, GID=1002', { event: 'group_added', group: 'shop', gid: 1002 }],
    ['userdel', "removed group 'bob' owned by 'bob'", { event: 'group_removed', group: 'bob', user: 'bob' }],
    ['gpasswd', 'user bob added by root to group wheel', { event: 'group_joined', user: 'bob', by_user: 'root', group: 'wheel' }],
    ['sshd', 'words that nobody knows', {}],
    ['nginx', 'Accepted publickey for bob from 192.0.2.7', {}],
  ])('%s: %s', (program, message, fields) => expect(read(program, message)).toEqual(fields));

  it('says the form of an address', () => {
    const fields = authFields('sshd', 'Accepted publickey for bob from 2001:db8::7 port 1 ssh2: ED25519 SHA256:x');
    expect(fields).toContainEqual({ name: 'remote_addr', value: '2001:db8::7', representation: 'ipv6' });
    expect(fields).toContainEqual({ name: 'key_fingerprint', value: 'SHA256:x' });
  });
});
