/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {Readonly<Record<number, number>>} Codes weight of each status */
/** @typedef {{ path: string, method: string, size: number, html: boolean, codes: Codes }} Page */

export const SITE = 'https://shop.example.com';

/** Assets that the first view of a page fetches. @type {readonly { path: string, size: number }[]} */
export const ASSETS = [
  { path: '/assets/app.8f31c2d0.js', size: 148_213 },
  { path: '/assets/app.51ab77e9.css', size: 22_906 },
  { path: '/assets/logo.svg', size: 4105 },
  { path: '/assets/fonts/sans-latin.woff2', size: 31_480 },
  { path: '/favicon.ico', size: 1150 },
];

const CATEGORIES = ['tools', 'seeds', 'watering', 'furniture', 'lighting'];
const POSTS = ['pruning-roses', 'spring-checklist', 'compost-basics'];
const SEARCHES = [
  'garden+shears',
  'hose+25m',
  'tomato+seeds',
  'raised+bed',
  'gl%C3%BChbirne',
  'watering+can',
  'bird+feeder',
  '%22potting+soil%22',
];
const FOUND = { 200: 95, 304: 2, 499: 1 };

/**
 * The page that a visitor asks for next, by how often each kind is.
 * @param {Random} random
 * @param {number} product the product's number
 * @returns {Page}
 */
export function nextPage(random, product) {
  const kind = random.weighted(PAGES);
  return kind(random, product);
}

/** @type {readonly (readonly [number, (random: Random, product: number) => Page])[]} */
const PAGES = [
  [18, () => view('/', 18_420)],
  [12, (random) => view(`/categories/${random.pick(CATEGORIES)}`, 26_300)],
  [26, (_, product) => view(`/products/${product}`, 14_870)],
  [8, (random) => view(`/search?q=${random.pick(SEARCHES)}${random.chance(0.2) ? '&page=2' : ''}`, 11_240)],
  [2, (random) => view(`/blog/${random.pick(POSTS)}`, 21_900)],
  [16, (_, product) => call('GET', `/api/v1/products/${product}/reviews?limit=20`, 3140, FOUND)],
  [6, () => call('POST', '/api/v1/cart/items', 412, { 201: 90, 409: 6, 422: 4 })],
  [2, (random) => call('DELETE', `/api/v1/cart/items/${random.int(1, 9)}`, 0, { 204: 9, 404: 1 })],
  [3, () => call('POST', '/login', 0, { 302: 8, 401: 2 })],
  [2, () => call('POST', '/checkout', 0, { 303: 18, 402: 1, 500: 1 })],
  [3, (random) => call('GET', `/products/${random.int(100, 900)}`, 1630, { 404: 1 })],
  [2, () => call('GET', '/shop/', 178, { 301: 1 })],
];

/** @param {string} path @param {number} size @returns {Page} */
const view = (path, size) => ({ path, method: 'GET', size, html: true, codes: FOUND });

/** @param {string} method @param {string} path @param {number} size @param {Codes} codes @returns {Page} */
const call = (method, path, size, codes) => ({ path, method, size, html: false, codes });

/** @param {Random} random @param {Codes} codes */
export function statusOf(random, codes) {
  return random.weighted(Object.entries(codes).map(([status, weight]) => /** @type {const} */ ([weight, Number(status)])));
}
