import { expect, it } from 'vitest';
import { paneSizes } from '../../../../../renderer/src/lib/table/pane-layout.ts';

const open = (size: number): { size: number; open: boolean } => ({ size, open: true });

it.each([
  [1380, open(240), open(360), { sources: 240, inspector: 360 }],
  [900, open(240), open(360), { sources: 240, inspector: 260 }],
  [840, open(240), open(360), { sources: 200, inspector: 240 }],
])('gives the main view its room in %i pixels', (width, sources, inspector, sizes) => {
  expect(paneSizes(width, sources, inspector)).toEqual(sizes);
});

it('shows no inspector, and at last no sources, where the main view would be of no use', () => {
  const closed = { size: 360, open: false };
  expect(paneSizes(540, open(240), open(360))).toEqual({ sources: 184, inspector: 0 });
  expect(paneSizes(540, { size: 240, open: false }, open(360))).toEqual({ sources: 0, inspector: 240 });
  expect(paneSizes(400, open(240), closed)).toEqual({ sources: 0, inspector: 0 });
});
