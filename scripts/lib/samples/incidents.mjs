import { Random } from './random.mjs';

const DAY = Date.UTC(2026, 2, 17);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const HOST = 'garden01';

/** @typedef {{ readonly at: number, readonly text: string }} Line `at` in ms since midnight */

/** @param {readonly Line[]} lines @param {(at: number, text: string) => string} format */
const inOrder = (lines, format) =>
  [...lines]
    .sort((a, b) => a.at - b.at)
    .map(({ at, text }) => `${format(at, text)}\n`)
    .join('');

/** As rsyslog's traditional file format. @param {number} at @param {string} text */
const syslog = (at, text) => `Mar 17 ${iso(at).slice(11, 19)} ${HOST} ${text}`;

/** @param {number} at */
const iso = (at) => new Date(DAY + at).toISOString();

/** @param {Random} random @param {number} from @param {number} to @param {number} count */
const times = (random, from, to, count) => Array.from({ length: count }, () => from + random.next() * (to - from));

/** A day of logins, with an attack in the night that guesses a password in the end. */
export function authLog() {
  const random = new Random(22);
  const users = ['alice', 'bob', 'deploy'];
  const attacker = '203.0.113.66';
  const guessed = ['root', 'admin', 'test', 'oracle', 'postgres', 'git', 'ubuntu', 'backup'];
  /** @type {Line[]} */
  const lines = [];
  for (const at of times(random, 6 * HOUR, 20 * HOUR, 60)) {
    const from = `192.0.2.${random.int(10, 14)} port ${random.int(40_000, 60_000)} ssh2`;
    const pid = random.int(2000, 9000);
    if (random.chance(0.15))
      lines.push({ at: at - 4 * SECOND, text: `sshd[${pid}]: Failed password for ${random.pick(users)} from ${from}` });
    lines.push({ at, text: `sshd[${pid}]: Accepted publickey for ${random.pick(users)} from ${from}: ED25519 SHA256:q3Zk9vV0bF` });
  }
  for (const at of times(random, 3 * HOUR + 10 * MINUTE, 3 * HOUR + 25 * MINUTE, 420)) {
    const user = random.pick(guessed);
    const who = user === 'root' || user === 'backup' ? user : `invalid user ${user}`;
    lines.push({
      at,
      text: `sshd[${random.int(2000, 9000)}]: Failed password for ${who} from ${attacker} port ${random.int(1024, 65_000)} ssh2`,
    });
  }
  lines.push({
    at: 3 * HOUR + 25 * MINUTE + 3 * SECOND,
    text: `sshd[8123]: Accepted password for backup from ${attacker} port 51514 ssh2`,
  });
  return inOrder(lines, syslog);
}

/** Two hours of slow queries: a search without an index reads more and more rows. */
export function slowQueryLog() {
  const random = new Random(3306);
  const searches = times(random, 10 * HOUR, 12 * HOUR, 90).sort((a, b) => a - b);
  const lines = searches.map((at, i) =>
    query(random, at, 1.2 + i * 0.04, 400_000 + i * 9000, `SELECT * FROM orders WHERE email = 'customer${i}@example.com'`),
  );
  for (const at of times(random, 10 * HOUR, 12 * HOUR, 40))
    lines.push(query(random, at, 0.4, 12_000, `SELECT product_id, SUM(amount) FROM order_items GROUP BY product_id`));
  return inOrder(lines, (_, text) => text).replaceAll('\n\n', '\n');
}

/** @param {Random} random @param {number} at @param {number} seconds @param {number} rows @param {string} sql @returns {Line} */
function query(random, at, seconds, rows, sql) {
  const taken = (seconds * (0.8 + random.next() * 0.4)).toFixed(6);
  const head = [
    `# Time: ${iso(at).replace('Z', '000Z')}`,
    `# User@Host: shop[shop] @  [10.1.2.3]  Id: ${random.int(100, 999)}`,
    `# Query_time: ${taken}  Lock_time: 0.000120 Rows_sent: ${random.int(1, 9)}  Rows_examined: ${rows}`,
    `SET timestamp=${Math.floor((DAY + at) / SECOND)};`,
  ];
  return { at, text: `${head.join('\n')}\n${sql};` };
}

/** Three programs that say something about twice a minute, of which one falls silent. */
export function servicesLog() {
  const random = new Random(514);
  /** @type {readonly (readonly [program: string, text: string, until: number])[]} */
  const programs = [
    ['shop-web[811]', 'served 200 requests', 16 * HOUR],
    ['shop-stock[835]', 'stock is up to date', 16 * HOUR],
    ['shop-mailer[902]', 'sent 3 mails', 14.75 * HOUR],
  ];
  const lines = programs.flatMap(([program, text, until]) => {
    const count = Math.round((until - 14 * HOUR) / (30 * SECOND));
    return times(random, 14 * HOUR, until, count).map((at) => ({ at, text: `${program}: ${text}` }));
  });
  lines.push({ at: 14.75 * HOUR, text: 'shop-mailer[902]: warning: mail.example.com does not answer, waiting' });
  return inOrder(lines, syslog);
}

/** Requests of a shop as two services log them, with the same identifiers; one waits for a payment until it is given up. */
function requests() {
  const random = new Random(8080);
  const ids = Array.from({ length: 120 }, () => random.int(0x10000000, 0x7fffffff).toString(16));
  const all = ids.map((id) => ({ id, at: 15 * HOUR + random.next() * 10 * MINUTE, ms: 40 + random.exponential(60), lost: false }));
  return [...all, { id: '7f3a9c21', at: 15 * HOUR + 6 * MINUTE, ms: 5000, lost: true }];
}

/** @param {number} at @param {string} text */
const logfmt = (at, text) => `time=${iso(at)} ${text}`;

export function gatewayLog() {
  const lines = requests().map(({ id, at, ms, lost }) => ({
    at: at + ms,
    text: `level=${lost ? 'error' : 'info'} service=gateway request_id=${id} method=POST path=/orders status=${lost ? 504 : 201} duration_ms=${Math.round(ms)}`,
  }));
  return inOrder(lines, logfmt);
}

export function ordersLog() {
  const lines = requests().flatMap(({ id, at, ms, lost }) => {
    const common = `service=orders request_id=${id}`;
    const first = { at: at + 5, text: `level=info ${common} msg="order received"` };
    const paid = { at: at + ms * 0.8, text: `level=info ${common} msg="payment accepted"` };
    const waits = [
      { at: at + 40, text: `level=warn ${common} msg="payment does not answer, trying again" attempt=1` },
      { at: at + 2500, text: `level=warn ${common} msg="payment does not answer, trying again" attempt=2` },
      { at: at + 4990, text: `level=error ${common} msg="payment given up" error="connect timeout to pay.example.com:443"` },
    ];
    return lost ? [first, ...waits] : [first, paid];
  });
  return inOrder(lines, logfmt);
}
