import { expect, it } from 'vitest';
import { Random } from '../../../../scripts/lib/samples/random.mjs';
import { ASSETS, nextPage, statusOf } from '../../../../scripts/lib/samples/shop.mjs';

const random = new Random(1);
const pages = Array.from({ length: 2000 }, () => nextPage(random, 42));

it('pages have a method, a path and a status of their own', () => {
  for (const { path, method, codes } of pages) {
    expect(path).toMatch(/^\/(?:[\w%+=&?.-]+\/?)*$/);
    expect(['GET', 'POST', 'DELETE']).toContain(method);
    expect(Object.keys(codes)).toContain(String(statusOf(random, codes)));
  }
});

it('the product is the one that the visitor looks at, most often', () => {
  const products = pages.flatMap(({ path }) => /^\/products\/(\d+)$/.exec(path)?.[1] ?? []);
  expect(products.filter((product) => product === '42').length).toBeGreaterThan(products.length / 2);
});

it('only pages of HTML are read by people', () => {
  expect(pages.filter(({ html }) => html).every(({ method, codes }) => method === 'GET' && Object.hasOwn(codes, 200))).toBe(true);
});

it('the same seed brings the same visit', () => {
  const visit = (): string[] => {
    const seeded = new Random(7);
    return Array.from({ length: 50 }, () => nextPage(seeded, 1).path);
  };
  expect(visit()).toEqual(visit());
});

it('assets have sizes', () => expect(ASSETS.every(({ path, size }) => path.startsWith('/') && size > 0)).toBe(true));
