import { Draw } from './draw.ts';

/** A record before it is written. */
export type Fields = Record<string, string | number>;

/** Kinds of logs. */
export const KINDS = ['access', 'app', 'auth', 'pods', 'java'] as const;
export type Kind = (typeof KINDS)[number];

/** Parts that both sides of a pair share. */
export interface World {
  readonly kind: Kind;
  readonly draw: Draw;
  /** Milliseconds of the beginning, and of each side. */
  readonly start: number;
  readonly length: number;
  /** Records per second, on average. */
  readonly rate: number;
  readonly routes: readonly { readonly path: string; readonly ms: number; readonly bytes: number }[];
  readonly clients: readonly string[];
  readonly hosts: readonly string[];
  readonly services: readonly string[];
  readonly version: string;
  readonly agents: readonly string[];
  readonly users: readonly string[];
}

const PATHS = [
  '/',
  '/cart',
  '/checkout',
  '/login',
  '/search',
  '/api/items',
  '/api/orders',
  '/api/users',
  '/static/app.js',
  '/static/app.css',
  '/health',
  '/account',
  '/help',
];
const SERVICES = ['shop', 'billing', 'search', 'mail', 'stock', 'auth'];
const USERS = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan', 'judy'];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'curl/8.10.1',
  'GardenBot/2.1 (+https://garden.example/bot)',
];

export function newWorld(kind: Kind, seed: number): World {
  const draw = new Draw(seed);
  const length = draw.of([20, 30, 60, 120]) * 60_000;
  const records = draw.between(4000, 20_000);
  return {
    kind,
    draw,
    start: Date.UTC(2026, 9, 1 + draw.below(28), draw.below(20), draw.below(60)),
    length,
    rate: (records * 1000) / length,
    routes: PATHS.map((path) => ({ path, ms: draw.around(60, 0.8), bytes: draw.around(8000, 1) })),
    clients: Array.from(
      { length: 300 + draw.below(2000) },
      () => `${1 + draw.below(220)}.${draw.below(255)}.${draw.below(255)}.${draw.below(255)}`,
    ),
    hosts: Array.from({ length: 4 + draw.below(5) }, (_, i) => `web${i + 1}`),
    services: SERVICES.slice(0, 3 + draw.below(4)),
    version: `${1 + draw.below(4)}.${draw.below(20)}.${draw.below(10)}`,
    agents: AGENTS,
    users: USERS,
  };
}

/** The times of a side: the rate drifts over the day, varies from minute to minute, and has short bursts. */
export function* timesOf({ draw, start, length, rate }: World, side: 0 | 1): Generator<number> {
  let level = 0;
  let minute = -1;
  let burst = 1;
  for (let t = side * length; t < (side + 1) * length;) {
    if (Math.floor(t / 60_000) !== minute) {
      minute = Math.floor(t / 60_000);
      level = 0.8 * level + 0.12 * draw.normal();
      burst = draw.chance(0.03) ? draw.between(1.2, 2) : 1;
    }
    const day = 1 + 0.25 * Math.sin(((start + t) / 86_400_000) * 2 * Math.PI);
    t += (-Math.log(1 - draw.next()) * 1000) / (rate * day * Math.exp(level) * burst);
    if (t < (side + 1) * length) yield start + t;
  }
}
