import { expect, it } from 'vitest';
import { RecordSource } from '../../../bench/difference/records.ts';
import { KINDS, newWorld } from '../../../bench/difference/world.ts';
import { written } from '../../../bench/difference/written.ts';

it.each(KINDS)('records of %s are the same for a seed, and are written as lines', (kind) => {
  const lines = (): string[] => {
    const source = new RecordSource(newWorld(kind, 3));
    return Array.from({ length: 50 }, (_, i) => written(kind, 1e12 + i, source.next()));
  };
  expect(lines()).toEqual(lines());
  expect(lines().every((line) => line.endsWith('\n') && line.length > 20)).toBe(true);
});
