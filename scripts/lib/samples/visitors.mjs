import { zipf } from './random.mjs';

/** Browsers by their share, newest of each. */
const BROWSERS = /** @type {const} */ ([
  [34, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36'],
  [19, 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Mobile Safari/537.36'],
  [
    17,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1',
  ],
  [9, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15'],
  [7, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:136.0) Gecko/20100101 Firefox/136.0'],
  [6, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/134.0.0.0 Safari/537.36 Edg/134.0.0.0'],
  [4, 'Mozilla/5.0 (X11; Linux x86_64; rv:136.0) Gecko/20100101 Firefox/136.0'],
  [3, 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/133.0.0.0 Safari/537.36'],
  [1, 'Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1'],
]);

/** Referers of the first page, by their share. */
const ORIGINS = /** @type {const} */ ([
  [46, '-'],
  [34, 'https://www.google.com/'],
  [7, 'https://duckduckgo.com/'],
  [5, 'https://www.bing.com/'],
  [4, 'https://news.example.net/'],
  [4, 'https://forum.example.org/t/which-garden-shears/418'],
]);

const SIGNED_IN = ['anna', 'bruno', 'carla', 'deniz'];

/** @typedef {{ address: string, user: string, agent: string, origin: string }} Visitor */

/**
 * The people who visit: a few come often, most once. Addresses are from the blocks that are reserved for documentation (RFC 5737, RFC 3849).
 * @param {import('./random.mjs').Random} random
 * @returns {() => Visitor}
 */
export function visitors(random) {
  const people = Array.from({ length: 420 }, () => ({
    address: random.chance(0.08) ? `2001:db8:${random.hex(4)}:${random.int(1, 9)}::${random.hex(3)}` : documentationAddress(random),
    user: random.chance(0.03) ? random.pick(SIGNED_IN) : '-',
    agent: random.weighted(BROWSERS),
    origin: random.weighted(ORIGINS),
  }));
  const next = zipf(random, people.length, 0.75);
  return () => /** @type {Visitor} */ (people[next()]);
}

/** @param {import('./random.mjs').Random} random */
export const documentationAddress = (random) => `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.int(11, 254)}`;
