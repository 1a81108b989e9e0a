/** Messages of Linux programs about logins and accounts. `user` is the account concerned, `by_user` the account that acted. */
import { fieldMaker, MessageRules, type MessageRule } from './message_rules.ts';
import type { LogField } from '../../modules/table_writer.ts';

const fieldOf = fieldMaker({
  numbers: { remote_port: '', local_port: '', uid: '', by_uid: '', gid: '' },
  hosts: ['remote_addr', 'local_addr'],
});

/** The address of a client. Names before it are matched greedily: a client can choose the user name `x from 198.51.100.1`. */
const FROM = String.raw`from (?<remote_addr>\S+)(?: port (?<remote_port>\d+))?`;

/** Messages of pluggable authentication modules, which any program can carry. */
const PAM: readonly MessageRule[] = [
  {
    event: 'session_opened',
    pattern:
      /^pam_\w+\((?<pam_service>[^:)]+):session\): session opened for user (?<user>[^ (]+)(?:\(uid=(?<uid>\d+)\))?(?: by (?<by_user>[^ (]*)\(uid=(?<by_uid>\d+)\))?/,
  },
  { event: 'session_closed', pattern: /^pam_\w+\((?<pam_service>[^:)]+):session\): session closed for user (?<user>\S+)/ },
  {
    event: 'login_failed',
    pattern:
      /^pam_\w+\((?<pam_service>[^:)]+):auth\): authentication failure; logname=(?<by_user>\S*) uid=(?<by_uid>\d*) euid=\d* tty=(?<tty>\S*) ruser=(?<remote_user>\S*) rhost=(?<remote_addr>\S*)(?: +user=(?<user>\S+))?/,
  },
  { event: 'password_changed', pattern: /^pam_\w+\((?<pam_service>[^:)]+):chauthtok\): password changed for (?<user>\S+)/ },
];

const SSHD: readonly MessageRule[] = [
  {
    event: 'login',
    pattern: new RegExp(
      `^Accepted (?<auth_method>\\S+) for (?<user>\\S+) ${FROM}(?: ssh2?)?(?:: (?<key_type>\\S+) (?<key_fingerprint>\\S+))?`,
    ),
  },
  { event: 'login_failed', pattern: new RegExp(`^Failed (?<auth_method>\\S+) for (?:(?<reason>invalid user) )?(?<user>.*) ${FROM}`) },
  { event: 'login_failed', pattern: new RegExp(`^(?<reason>Invalid user) (?<user>.*) ${FROM}`) },
  {
    event: 'login_failed',
    pattern: new RegExp(`^error: (?<reason>maximum authentication attempts exceeded) for (?:invalid user )?(?<user>.*) ${FROM}`),
  },
  { event: 'login_refused', pattern: new RegExp(`^User (?<user>\\S+) ${FROM} not allowed because (?<reason>.*)$`) },
  { event: 'disconnected', pattern: new RegExp(`^Received disconnect ${FROM}:\\d+: ?(?<reason>.*?)(?: \\[preauth\\])?$`) },
  {
    event: 'disconnected',
    pattern:
      /^(?:Connection (?:closed|reset) by|Disconnected from|Disconnecting) (?:(?:authenticating |invalid )?user (?<user>.*) )?(?<remote_addr>[0-9a-fA-F.:%\w]+) port (?<remote_port>\d+)(?:: (?<reason>.*?))?(?: \[preauth\])?$/,
  },
  {
    event: 'login_failed',
    pattern:
      /^PAM \d+ more authentication failures?; logname=(?<by_user>\S*) uid=(?<by_uid>\d*) euid=\d* tty=(?<tty>\S*) ruser=(?<remote_user>\S*) rhost=(?<remote_addr>\S*)(?: +user=(?<user>\S+))?/,
  },
  { event: 'disconnected', pattern: /^Timeout before authentication for (?<remote_addr>\S+) port (?<remote_port>\d+)/ },
  {
    event: 'login_refused',
    pattern: /^(?:fatal: )?Unable to negotiate with (?<remote_addr>\S+) port (?<remote_port>\d+): (?<reason>.*?)(?: \[preauth\])?$/,
  },
  {
    event: 'login_refused',
    pattern: new RegExp(`^(?<reason>Did not receive identification string|Bad protocol version identification '.*') ${FROM}`),
  },
  {
    event: 'login_refused',
    pattern: /^banner exchange: Connection from (?<remote_addr>\S+) port (?<remote_port>\d+): (?<reason>.*)$/,
  },
  { event: 'login_failed', pattern: new RegExp(`^error: PAM: (?<reason>.{1,100}?) for (?:illegal user )?(?<user>.*) ${FROM}`) },
  { event: 'listening', pattern: /^Server listening on (?<local_addr>\S+) port (?<local_port>\d+)/ },
];

const SUDO = String.raw`(?:TTY=(?<tty>\S+) ; )?(?:PWD|CWD)=(?<directory>.*?) ; USER=(?<user>\S+) ; (?:GROUP=(?<group>\S+) ; )?(?:TSID=\S+ ; )?(?:ENV=.*? ; )?COMMAND=(?<command>.*)$`;

/** Messages of the programs that change accounts. */
const GROUP_JOINED: MessageRule = {
  event: 'group_joined',
  pattern: /^add '(?<user>[^']+)' to (?:shadow )?group '(?<group>[^']+)'/,
};
const GROUP_ADDED: MessageRule = {
  event: 'group_added',
  pattern: /^(?:new group|group added to \/etc\/group): name=(?<group>[^,]+), GID=(?<gid>\d+)/,
};
const GROUP_REMOVED: MessageRule = {
  event: 'group_removed',
  pattern: /^(?:removed )?group '(?<group>[^']+)' (?:removed(?: from \/etc\/group)?|owned by '(?<user>[^']+)')$/,
};

/** The rules for each program. */
const PROGRAMS: ReadonlyMap<string, readonly MessageRule[]> = new Map([
  ['sshd', SSHD],
  ['sshd-session', SSHD],
  ['sshd-auth', SSHD],
  [
    'sudo',
    [
      { event: 'sudo', pattern: new RegExp(`^ *(?<by_user>\\S+) : ${SUDO}`) },
      { event: 'sudo_refused', pattern: new RegExp(`^ *(?<by_user>\\S+) : (?<reason>[^;]+) ; ${SUDO}`) },
    ],
  ],
  [
    'su',
    [
      { event: 'su', pattern: /^\(to (?<user>\S+)\) (?<by_user>\S+) on (?<tty>\S+)$/ },
      { event: 'su', pattern: /^Successful su for (?<user>\S+) by (?<by_user>\S+)$/ },
      { event: 'su_refused', pattern: /^FAILED SU \(to (?<user>\S+)\) (?<by_user>\S+) on (?<tty>\S+)$/ },
    ],
  ],
  [
    'login',
    [
      {
        event: 'login_failed',
        pattern: /^FAILED LOGIN (?:\(\d+\) )?on '(?<tty>[^']+)'(?: from '(?<remote_addr>[^']+)')? FOR '(?<user>[^']*)', (?<reason>.*)$/,
      },
      { event: 'login', pattern: /^LOGIN ON (?<tty>\S+) BY (?<user>\S+)(?: FROM (?<remote_addr>\S+))?$/ },
    ],
  ],
  [
    'systemd-logind',
    [
      { event: 'session_opened', pattern: /^New session '?(?<session>[^\s']+)'? of user '?(?<user>[^\s']+?)'?(?: with .*)?\.$/ },
      { event: 'session_closed', pattern: /^Removed session (?<session>\S+)\.$/ },
    ],
  ],
  [
    'useradd',
    [
      {
        event: 'user_added',
        pattern: /^new user: name=(?<user>[^,]+), UID=(?<uid>\d+), GID=(?<gid>\d+), home=(?<home>[^,]+), shell=(?<shell>[^,]+)/,
      },
      GROUP_ADDED,
      GROUP_JOINED,
    ],
  ],
  ['userdel', [{ event: 'user_removed', pattern: /^delete user '(?<user>[^']+)'/ }, GROUP_REMOVED]],
  ['groupadd', [GROUP_ADDED]],
  ['groupdel', [GROUP_REMOVED]],
  ['gpasswd', [{ event: 'group_joined', pattern: /^user (?<user>\S+) added by (?<by_user>\S+) to group (?<group>\S+)$/ }]],
  ['usermod', [GROUP_JOINED]],
]);

const pamRules = new MessageRules(PAM, fieldOf);
const programRules = new Map(Array.from(PROGRAMS, ([program, rules]) => [program, new MessageRules(rules, fieldOf)]));

/** The field event, and those that say more about it; none for messages of unknown forms. */
export function authFields(program: string, message: string): LogField[] {
  const rules = message.startsWith('pam_') ? pamRules : programRules.get(program);
  return rules?.fieldsOf(message) ?? [];
}
