import { describe, expect, it } from 'vitest';
import { DECODER_LOADS } from '../../bench/decoder-loads.ts';
import { FILTER_LOADS } from '../../bench/filters.ts';
import { bundledNames } from '../../engine/plugins/catalog.ts';

describe('what is measured', () => {
  it.each([
    ['decoder', DECODER_LOADS.map(({ decoder }) => decoder)],
    ['filter', Object.keys(FILTER_LOADS)],
  ] as const)('has messages for each bundled %s', (kind, loaded) => {
    expect(bundledNames(kind).filter((name) => !loaded.includes(name))).toEqual([]);
  });
});
