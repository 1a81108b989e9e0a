import { Random, zipf } from './random.mjs';
import { ASSETS, nextPage, SITE, statusOf } from './shop.mjs';
import { documentationAddress, visitors } from './visitors.mjs';

/** @typedef {import('./visitors.mjs').Visitor} Visitor */
/** @typedef {import('./shop.mjs').Page} Page */
/**
 * @typedef {object} Hit one request; `at` in seconds since midnight
 * @property {number} at
 * @property {Visitor} visitor
 * @property {string} request
 * @property {number} status
 * @property {number} bytes
 * @property {string} referer
 */

const LINES = 10_000;
const HOUR = 3600;
const FIRST = 2.5 * HOUR;
const LAST = 22.5 * HOUR;

/** Relative load of each hour of the day. */
const RHYTHM = [2, 1.2, 0.8, 0.6, 0.6, 1, 2, 4, 6, 7.5, 8, 8, 9, 8, 7.5, 7, 7.2, 7.8, 9, 10.5, 11, 9, 6, 4];

/** A restart that went wrong in the morning, and an overload in the afternoon. */
const OUTAGES = [
  { from: 9.7 * HOUR, to: 9.82 * HOUR, share: 0.72, codes: { 502: 8, 504: 1 }, extra: 160 },
  { from: 15.2 * HOUR, to: 15.3 * HOUR, share: 0.55, codes: { 503: 5, 504: 3, 500: 1 }, extra: 190 },
];

const CRAWLER = {
  address: '198.51.100.7',
  user: '-',
  agent: 'Mozilla/5.0 (compatible; GardenBot/2.1; +https://bot.example.net/about)',
  origin: '-',
};
const MONITOR = { address: '192.0.2.10', user: '-', agent: 'uptime-probe/3.4', origin: '-' };
const SCANNER = { address: '203.0.113.200', user: '-', agent: 'Mozilla/5.0 zgrab/0.x', origin: '-' };

const SCANNED = [
  '/wp-login.php',
  '/.env',
  '/.git/config',
  '/phpmyadmin/index.php',
  '/cgi-bin/luci/;stok=/locale',
  '/actuator/health',
  '/xmlrpc.php',
];

/**
 * A day of a small shop's web server in the combined log format: people by a daily rhythm, a monitor, a crawler's visit, two outages, a
 * scanner, and a few lines that no parser can read.
 * @returns {string} 10,000 lines
 */
export function accessLog() {
  const random = new Random(20_260_317);
  const nextVisitor = visitors(random);
  const repeated = OUTAGES.flatMap((outage) => retries(random, nextVisitor, outage));
  const fixed = [...monitor(random), ...crawler(random), ...scanner(random), ...repeated];
  const broken = brokenLines(random);
  const people = peoplesHits(random, nextVisitor, LINES - fixed.length - broken.length);
  const hits = [...fixed, ...people].map((hit) => duringOutage(random, hit)).sort((a, b) => a.at - b.at);
  const lines = hits.map(format);
  for (const { line, text } of broken) lines.splice(line, 0, text);
  return `${lines.join('\n')}\n`;
}

/** @param {Random} random @param {() => Visitor} nextVisitor @param {number} count @returns {Hit[]} */
function peoplesHits(random, nextVisitor, count) {
  const nextProduct = zipf(random, 240, 0.85);
  /** @type {Hit[]} */
  const hits = [];
  while (hits.length < count) hits.push(...visit(random, nextVisitor(), nextProduct));
  return hits.slice(0, count);
}

/**
 * One person's way through the shop: pages with their assets, some searches, sometimes a purchase.
 * @param {Random} random
 * @param {Visitor} visitor
 * @param {() => number} nextProduct
 * @returns {Hit[]}
 */
function visit(random, visitor, nextProduct) {
  const hits = [];
  let at = arrival(random);
  let referer = visitor.origin;
  let knowsAssets = random.chance(0.6);
  for (let left = 1 + Math.floor(random.exponential(2.2)); left > 0 && at < LAST; left -= 1) {
    const page = nextPage(random, 1000 + nextProduct() * 7);
    hits.push(pageHit(random, visitor, page, referer, at));
    if (page.html) {
      referer = SITE + page.path;
      hits.push(...assets(random, visitor, referer, at, knowsAssets));
      knowsAssets = true;
    }
    at += 2 + random.exponential(25);
  }
  return hits;
}

/** A time of the day that follows the rhythm. @param {Random} random */
function arrival(random) {
  for (;;) {
    const at = FIRST + random.next() * (LAST - FIRST);
    if (random.next() * 11 < /** @type {number} */ (RHYTHM[Math.floor(at / HOUR)])) return at;
  }
}

/**
 * @param {Random} random
 * @param {Visitor} visitor
 * @param {Page} page
 * @param {string} referer
 * @param {number} at
 * @returns {Hit}
 */
function pageHit(random, visitor, { path, method, size, codes }, referer, at) {
  const status = statusOf(random, codes);
  const protocol = random.chance(0.82) ? 'HTTP/2.0' : 'HTTP/1.1';
  const request = `${random.chance(0.01) ? 'HEAD' : method} ${path} ${protocol}`;
  const hasBody = status !== 304 && status !== 499 && !request.startsWith('HEAD');
  const bytes = hasBody ? Math.round(size * (0.75 + random.next() * 0.5)) : 0;
  return { at, visitor, request, status, bytes, referer: referer.replace(/\?.*/, '') };
}

/**
 * @param {Random} random
 * @param {Visitor} visitor
 * @param {string} referer
 * @param {number} at
 * @param {boolean} cached
 * @returns {Hit[]}
 */
function assets(random, visitor, referer, at, cached) {
  const wanted = cached ? ASSETS.filter(() => random.chance(0.12)) : ASSETS;
  return wanted.map(({ path, size }) => {
    const status = cached ? 304 : 200;
    const moment = at + 0.1 + random.next() * 1.4;
    return { at: moment, visitor, request: `GET ${path} HTTP/2.0`, status, bytes: cached ? 0 : size, referer };
  });
}

/** @param {Random} random @returns {Hit[]} */
function monitor(random) {
  const hits = [];
  for (let at = FIRST + 20; at < LAST; at += 300) {
    hits.push({ at: at + random.next(), visitor: MONITOR, request: 'GET /healthz HTTP/1.1', status: 200, bytes: 2, referer: '-' });
  }
  return hits;
}

/** Twelve minutes of early morning, page after page. @param {Random} random @returns {Hit[]} */
function crawler(random) {
  const hits = [];
  for (let at = 5.3 * HOUR, product = 1000; at < 5.5 * HOUR; at += 0.4 + random.exponential(0.7), product += 1) {
    const found = (product - 1000) % 7 === 0;
    const status = found ? 200 : statusOf(random, { 404: 12, 429: 1 });
    hits.push({ at, visitor: CRAWLER, request: `GET /products/${product} HTTP/1.1`, status, bytes: found ? 14_870 : 1630, referer: '-' });
  }
  return hits;
}

/** @param {Random} random @returns {Hit[]} */
function scanner(random) {
  const greetings = [
    '\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xFC\\x03\\x03',
    '\\x16\\x03\\x01\\x00\\xEE\\x01\\x00\\x00\\xEA\\x03\\x03',
    '\\x03\\x00\\x00/*\\xE0\\x00\\x00\\x00\\x00\\x00Cookie: mstshash=Administr',
  ];
  const probes = SCANNED.map((path) => ({ request: `GET ${path} HTTP/1.1`, status: path.startsWith('/.') ? 403 : 404, bytes: 153 }));
  const garbage = [...greetings, ...greetings].map((request) => ({ request, status: 400, bytes: 157 }));
  const agentless = { ...SCANNER, agent: '-' };
  return [...probes, ...garbage].map((hit) => {
    const at = FIRST + random.next() * (LAST - FIRST);
    return { ...hit, at, visitor: hit.status === 400 ? { ...agentless, address: documentationAddress(random) } : SCANNER, referer: '-' };
  });
}

/**
 * While a server fails, its clients try again and again.
 * @param {Random} random
 * @param {() => Visitor} nextVisitor
 * @param {typeof OUTAGES[number]} outage
 * @returns {Hit[]}
 */
function retries(random, nextVisitor, { from, to, extra }) {
  return Array.from({ length: extra }, () => {
    const at = from + random.next() * (to - from);
    const request = `GET /api/v1/products/${1000 + 7 * random.int(0, 60)}/reviews?limit=20 HTTP/2.0`;
    return { at, visitor: nextVisitor(), request, status: 200, bytes: 3140, referer: `${SITE}/` };
  });
}

/**
 * The hit as the proxy answers it during an outage of the server behind it. Static files do not need that server.
 * @param {Random} random
 * @param {Hit} hit
 * @returns {Hit}
 */
function duringOutage(random, hit) {
  const outage = OUTAGES.find(({ from, to }) => hit.at >= from && hit.at < to);
  if (!outage || hit.request.includes('/assets/') || hit.status === 400 || !random.chance(outage.share)) return hit;
  return { ...hit, status: statusOf(random, outage.codes), bytes: 559 };
}

/**
 * Broken lines such as a full disk, a crash or a second writer leaves, with their positions.
 * @param {Random} random
 */
function brokenLines(random) {
  const whole = format({
    at: 11 * HOUR,
    visitor: {
      address: '203.0.113.77',
      user: '-',
      agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:136.0) Gecko/20100101 Firefox/136.0',
      origin: '-',
    },
    request: 'GET /products/1042 HTTP/2.0',
    status: 200,
    bytes: 14_020,
    referer: `${SITE}/`,
  });
  const texts = [
    ...[9, 31, 58, 84].map((length) => whole.slice(0, length)),
    whole.replace('17/Mar/2026', '17/Mrz/2026'),
    whole.replace('[17/Mar/2026:11:00:00 +0000]', '[2026-03-17 11:00:00]'),
    whole.replace('17/Mar/2026:11:00:00', '17/Mar/2026:11:61:00'),
    whole.replace(' 200 ', ' 2OO '),
    `${whole.slice(0, 52)}${whole}`,
    '2026/03/17 09:42:11 [error] 1123#1123: *48211 connect() failed (111: Connection refused) while connecting to upstream, client: 203.0.113.91',
    '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00',
    '-',
  ];
  return texts.map((text) => ({ text, line: random.int(200, LINES - 200) }));
}

/** @param {Hit} hit */
function format({ at, visitor, request, status, bytes, referer }) {
  return `${visitor.address} - ${visitor.user} [17/Mar/2026:${clock(at)} +0000] "${request}" ${status} ${bytes} "${referer}" "${visitor.agent}"`;
}

/** @param {number} at seconds since midnight */
function clock(at) {
  const whole = Math.floor(at);
  return [whole / HOUR, (whole / 60) % 60, whole % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}
