import { expect, test } from 'vitest';
import { Prefs } from '../../../../renderer/src/state/prefs.svelte.ts';

test.each([
  ['schema', 'overview', 'schema'],
  ['items', 'overview', 'items'],
  ['patterns', 'overview', 'patterns'],
  ['overview', 'overview', 'fields'],
  ['graphs', 'charts', 'fields'],
  ['plugins', 'scripts', 'fields'],
  ['timeline', 'charts', 'fields'],
  ['nothing of the kind', 'logs', 'fields'],
])('a saved workspace that shows %s opens', (saved, view, part) => {
  const prefs = new Prefs({ getItem: () => null, setItem: () => undefined });
  prefs.adopt({ view: saved });
  expect([prefs.view, prefs.overview]).toEqual([view, part]);
});
