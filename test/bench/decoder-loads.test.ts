import { expect, it } from 'vitest';
import { DECODER_LOADS } from '../../bench/decoder-loads.ts';
import { bundledNames } from '../../engine/plugins/catalog.ts';

it('each bundled decoder has records to be measured with', () => {
  const loaded = new Set(DECODER_LOADS.map(({ decoder }) => decoder));
  expect(bundledNames('decoder').filter((name) => !loaded.has(name))).toEqual([]);
});
