import { expect, it } from 'vitest';
import { SOURCES } from '../../../../engine/sandbox/code/bundle.ts';
import { importsOf } from '../../module-closure.ts';

it.each(['host/main.ts', 'prelude/index.ts'])('the sources have all that %s imports: it is made anew when one changes', (entry) => {
  const { count, others } = importsOf(`sandbox/${entry}`, SOURCES);
  expect(others).toEqual([]);
  expect(count).toBeGreaterThan(20);
});
