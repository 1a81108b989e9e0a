import { documentationAddress } from './visitors.mjs';

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./syslog.mjs').Entry} Entry */
/** @typedef {{ perDay: number, fixedMinutes?: number, make: (random: Random, at: number) => Entry[] }} EventKind */

export const HOST = 'garden01';

const BOOT = Date.UTC(2026, 2, 12, 4, 0, 0);
const KERNEL = 0;
const MAIL = 2;
const DAEMON = 3;
const AUTH = 4;
const CRON = 9;
const LOCAL0 = 16;

const GUESSED_USERS = ['admin', 'test', 'oracle', 'ubuntu', 'git', 'postgres', 'pi', 'ftpuser'];
const KEY = 'ED25519 SHA256:q3Xw0bM6dUuYt7Zf1kPp9sLr2vHn8cJe5aGi4oTxKdE';
const UNITS = [
  ['apt-daily.service', 'Daily apt download activities'],
  ['logrotate.service', 'Rotate log files'],
  ['man-db.service', 'Daily man-db regeneration'],
  ['fstrim.service', 'Discard unused blocks on filesystems from /etc/fstab'],
  ['phpsessionclean.service', 'Clean php session files'],
  ['systemd-tmpfiles-clean.service', 'Cleanup of Temporary Directories'],
];
const COMMANDS = [
  '/usr/bin/apt update',
  '/usr/bin/systemctl restart nginx',
  '/usr/bin/tail -f /var/log/nginx/error.log',
  '/usr/sbin/ufw status',
];

const pid = (/** @type {Random} */ random) => random.int(900, 32_000);
const uptime = (/** @type {number} */ at, /** @type {Random} */ random) =>
  `[${String(Math.floor((at - BOOT) / 1000)).padStart(5, ' ')}.${String(random.int(0, 999_999)).padStart(6, '0')}]`;

/** Kinds of events on the server, with their frequency. Each kind makes the lines of one event. @type {readonly EventKind[]} */
export const EVENTS = [
  { perDay: 0, fixedMinutes: 5, make: (random, at) => cron(random, at, 'root', 'command -v debian-sa1 > /dev/null && debian-sa1 1 1') },
  {
    perDay: 0,
    fixedMinutes: 30,
    make: (random, at) => cron(random, at + 8000, 'root', '[ -x /usr/lib/php/sessionclean ] && /usr/lib/php/sessionclean'),
  },
  {
    perDay: 0,
    fixedMinutes: 60,
    make: (random, at) => cron(random, at + 16 * 60_000, 'root', 'cd / && run-parts --report /etc/cron.hourly'),
  },
  { perDay: 48, make: unit },
  { perDay: 110, make: passwordGuess },
  { perDay: 14, make: keyLogin },
  { perDay: 10, make: sudo },
  { perDay: 170, make: firewall },
  { perDay: 6, make: hardware },
  { perDay: 24, make: lease },
  { perDay: 30, make: mail },
  { perDay: 30, make: worker },
];

/**
 * @param {Random} random
 * @param {number} at
 * @param {string} user
 * @param {string} command
 * @returns {Entry[]}
 */
function cron(random, at, user, command) {
  return [{ at, program: 'CRON', pid: pid(random), severity: 6, facility: CRON, text: `(${user}) CMD (${command})` }];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function unit(random, at) {
  const [name, description] = random.pick(UNITS);
  const line = (/** @type {number} */ delay, /** @type {number} */ severity, /** @type {string} */ text) => ({
    at: at + delay,
    program: 'systemd',
    pid: 1,
    severity,
    facility: DAEMON,
    text,
  });
  if (random.chance(0.03)) {
    return [
      line(0, 6, `Starting ${name} - ${description}...`),
      line(2100, 5, `${name}: Main process exited, code=exited, status=1/FAILURE`),
      line(2101, 4, `${name}: Failed with result 'exit-code'.`),
      line(2102, 3, `Failed to start ${name} - ${description}.`),
    ];
  }
  return [
    line(0, 6, `Starting ${name} - ${description}...`),
    line(1400, 6, `${name}: Deactivated successfully.`),
    line(1401, 6, `Finished ${name} - ${description}.`),
  ];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function passwordGuess(random, at) {
  const session = pid(random);
  const address = random.chance(0.6) ? '203.0.113.40' : documentationAddress(random);
  const port = random.int(32_768, 60_999);
  const user = random.pick(GUESSED_USERS);
  const line = (/** @type {number} */ delay, /** @type {string} */ text) => ({
    at: at + delay,
    program: 'sshd',
    pid: session,
    severity: 6,
    facility: AUTH,
    text,
  });
  return [
    line(0, `Invalid user ${user} from ${address} port ${port}`),
    line(2200, `Failed password for invalid user ${user} from ${address} port ${port} ssh2`),
    line(2900, `Connection closed by invalid user ${user} ${address} port ${port} [preauth]`),
  ];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function keyLogin(random, at) {
  const session = pid(random);
  const user = random.pick(['anna', 'bruno', 'deploy']);
  const from = `192.0.2.${random.int(20, 40)} port ${random.int(32_768, 60_999)}`;
  const stay = 1000 * random.int(20, 2400);
  const line = (/** @type {number} */ delay, /** @type {string} */ text) => ({
    at: at + delay,
    program: 'sshd',
    pid: session,
    severity: 6,
    facility: AUTH,
    text,
  });
  return [
    line(0, `Accepted publickey for ${user} from ${from} ssh2: ${KEY}`),
    line(12, `pam_unix(sshd:session): session opened for user ${user}(uid=${random.int(1000, 1003)}) by (uid=0)`),
    line(stay, `pam_unix(sshd:session): session closed for user ${user}`),
  ];
}

/** sudo pads its own name and writes no pid. @param {Random} random @param {number} at @returns {Entry[]} */
function sudo(random, at) {
  const user = random.pick(['anna', 'bruno']);
  const text = `    ${user} : TTY=pts/${random.int(0, 2)} ; PWD=/home/${user} ; USER=root ; COMMAND=${random.pick(COMMANDS)}`;
  return [{ at, program: 'sudo', severity: 5, facility: AUTH, text }];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function firewall(random, at) {
  const ports = `SPT=${random.int(1024, 65_535)} DPT=${random.pick([22, 23, 445, 1433, 3389, 5060, 6379, 8080])}`;
  const packet = `SRC=${documentationAddress(random)} DST=192.0.2.5 LEN=${random.pick([40, 44, 52, 60])} TOS=0x00 PREC=0x00 TTL=${random.int(38, 246)} ID=${random.int(1, 65_535)}`;
  const text = `${uptime(at, random)} [UFW BLOCK] IN=eth0 OUT= MAC=02:00:5e:10:00:05 ${packet} PROTO=TCP ${ports} WINDOW=1024 RES=0x00 SYN URGP=0`;
  return [{ at, program: 'kernel', severity: 4, facility: KERNEL, text }];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function hardware(random, at) {
  const [severity, text] = random.weighted([
    [4, [6, 'eth0: Link is Up - 1Gbps/Full - flow control rx/tx']],
    [2, [4, 'EXT4-fs (vda1): warning: mounting fs with errors, running e2fsck is recommended']],
    [2, [6, 'perf: interrupt took too long (2508 > 2500), lowering kernel.perf_event_max_sample_rate to 79750']],
    [
      1,
      [
        3,
        `Out of memory: Killed process ${pid(random)} (node) total-vm:2204416kB, anon-rss:1532112kB, file-rss:0kB, shmem-rss:0kB, UID:1002 pgtables:4120kB oom_score_adj:0`,
      ],
    ],
  ]);
  return [{ at, program: 'kernel', severity: Number(severity), facility: KERNEL, text: `${uptime(at, random)} ${text}` }];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function lease(random, at) {
  const line = (/** @type {number} */ delay, /** @type {string} */ text) => ({
    at: at + delay,
    program: 'dhclient',
    pid: 612,
    severity: 6,
    facility: DAEMON,
    text,
  });
  return [
    line(0, 'DHCPREQUEST for 192.0.2.5 on eth0 to 192.0.2.1 port 67'),
    line(40, 'DHCPACK of 192.0.2.5 from 192.0.2.1'),
    line(61, `bound to 192.0.2.5 -- renewal in ${random.int(1500, 2100)} seconds.`),
  ];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function mail(random, at) {
  const queueId = random.hex(10).toUpperCase();
  const line = (/** @type {number} */ delay, /** @type {string} */ part, /** @type {string} */ text, severity = 6) => ({
    at: at + delay,
    program: `postfix/${part}`,
    pid: pid(random),
    severity,
    facility: MAIL,
    text,
  });
  const delivered = random.chance(0.92);
  const outcome = delivered
    ? `dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as ${random.hex(9).toUpperCase()})`
    : 'dsn=4.4.1, status=deferred (connect to mx.example.net[198.51.100.25]:25: Connection timed out)';
  return [
    line(0, 'pickup', `${queueId}: uid=1002 from=<shop>`),
    line(4, 'cleanup', `${queueId}: message-id=<${queueId.toLowerCase()}@${HOST}.example.com>`),
    line(9, 'qmgr', `${queueId}: from=<shop@example.com>, size=${random.int(900, 9000)}, nrcpt=1 (queue active)`),
    line(
      840,
      'smtp',
      `${queueId}: to=<${random.pick(GUESSED_USERS)}@example.net>, relay=mx.example.net[198.51.100.25]:25, delay=0.8, ${outcome}`,
      delivered ? 6 : 4,
    ),
    ...(delivered ? [line(842, 'qmgr', `${queueId}: removed`)] : []),
  ];
}

/** @param {Random} random @param {number} at @returns {Entry[]} */
function worker(random, at) {
  const [severity, text] = random.weighted([
    [12, [6, `job ${random.int(10_000, 99_999)} done in ${random.int(12, 900)} ms`]],
    [3, [4, `job ${random.int(10_000, 99_999)} slow: ${random.int(2000, 9000)} ms`]],
    [1, [3, `job ${random.int(10_000, 99_999)} failed: upstream timed out`]],
  ]);
  return [{ at, program: 'shop-worker', pid: 1187, severity: Number(severity), facility: LOCAL0, text: String(text) }];
}
