import { Random } from './random.mjs';
import { EVENTS, HOST } from './syslog-events.mjs';

/**
 * @typedef {{ at: number, program: string, pid?: number, severity: number, facility: number, text: string }} Entry one line; `at` in ms since 1970
 */

const LINES = 5000;
const LINES_5424 = 500;
const FIRST = Date.UTC(2026, 2, 14, 6, 25, 1);
const DAYS = 4;
const DAY_MS = 86_400_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Four days of a small server's /var/log/syslog as rsyslog's traditional file format writes it (the timestamp and tag of RFC 3164, no
 * priority), with a few lines that no parser can read.
 * @returns {string} 5,000 lines
 */
export function syslogText() {
  const random = new Random(3164);
  const broken = [
    '    at Object.<anonymous> (/opt/shop/worker.js:118:23)',
    '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
    'Mrz 15 11:02:44 garden01 sshd[2211]: Connection closed by 203.0.113.40 port 50122',
    'Mar 15 24:61:07 garden01 CRON[3120]: (root) CMD (command -v debian-sa1 > /dev/null && debian-sa1 1 1)',
    'Mar 16 03:1',
    'garden01 kernel: [201115.118844] printk: messages dropped',
    '-- MARK --',
  ];
  const lines = entries(random, LINES - broken.length).map(traditional);
  for (const text of broken) lines.splice(random.int(100, lines.length - 100), 0, text);
  return `${lines.join('\n')}\n`;
}

/**
 * The same server's log in the form of RFC 5424, with structured data on some lines.
 * @returns {string} 500 lines
 */
export function syslog5424() {
  const random = new Random(5424);
  return `${entries(random, LINES_5424)
    .map((entry, index) => modern(random, entry, index + 1))
    .join('\n')}\n`;
}

/**
 * Entries in the order of their times, thinned at random to the count.
 * @param {Random} random
 * @param {number} count
 * @returns {Entry[]}
 */
function entries(random, count) {
  /** @type {Entry[]} */
  const all = [];
  for (const { perDay, fixedMinutes, make } of EVENTS) {
    const share = count / LINES;
    const times = fixedMinutes ? regular(fixedMinutes / share) : irregular(random, perDay * share);
    for (const at of times) all.push(...make(random, at));
  }
  const surplus = all.length - count;
  if (surplus < 0) throw new RangeError(`the sample has only ${all.length} lines of ${count}`);
  for (let left = surplus; left > 0; left -= 1) all.splice(random.int(0, all.length - 1), 1);
  return all.sort((a, b) => a.at - b.at);
}

/** @param {number} minutes @returns {number[]} */
function regular(minutes) {
  const step = Math.round(minutes) * 60_000;
  return Array.from({ length: Math.floor((DAYS * DAY_MS) / step) }, (_, index) => FIRST + index * step);
}

/** @param {Random} random @param {number} perDay @returns {number[]} */
const irregular = (random, perDay) =>
  Array.from({ length: Math.round(perDay * DAYS) }, () => FIRST + Math.floor(random.next() * DAYS * DAY_MS));

/** @param {Entry} entry */
function traditional({ at, program, pid, text }) {
  const time = new Date(at);
  const day = String(time.getUTCDate()).padStart(2, ' ');
  return `${MONTHS[time.getUTCMonth()]} ${day} ${time.toISOString().slice(11, 19)} ${HOST} ${program}${pid === undefined ? '' : `[${pid}]`}: ${text}`;
}

/** @param {Random} random @param {Entry} entry @param {number} sequence */
function modern(random, { at, program, pid, severity, facility, text }, sequence) {
  const micros = String(random.int(0, 999)).padStart(3, '0');
  const time = new Date(at).toISOString().replace('Z', `${micros}+00:00`);
  const messageId = program === 'sshd' ? 'AUTH' : '-';
  return `<${facility * 8 + severity}>1 ${time} ${HOST} ${program} ${pid ?? '-'} ${messageId} ${structuredData(random, program, sequence)} ${text}`;
}

/**
 * Structured data as RFC 5424, section 7, registers it, and an element of the shop's own, whose value needs each escape.
 * @param {Random} random
 * @param {string} program
 * @param {number} sequence
 */
function structuredData(random, program, sequence) {
  const meta = `[meta sequenceId="${sequence}"]`;
  if (program === 'shop-worker')
    return `${meta}[job@32473 queue="mail" attempt="${random.int(1, 3)}" note="path C:\\\\tmp, \\"quoted\\", [x\\]"]`;
  if (program === 'kernel') return '-';
  return random.chance(0.4) ? `[timeQuality tzKnown="1" isSynced="${random.int(0, 1)}"]${meta}` : '-';
}
