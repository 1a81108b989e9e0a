import { expect, it } from 'vitest';
import { sluicebox } from '../run-cli.ts';
import { sortKeyOf } from '../../../../engine/cli/view/sort.ts';

const VALUES = ['n=10', 'n=9', 'm=1', 'n=beta', 'n=alpha', 'n=-2', 'n=9'];
const INPUT = VALUES.map((value, at) => `time=2026-11-20T10:00:0${at}Z level=info ${value} at=${at}\n`).join('');

it.each<[sort: string, order: string]>([
  ['n', '5 1 6 0 4 3 2'],
  ['n:desc', '3 4 0 1 6 5 2'],
  ['time:desc', '6 5 4 3 2 1 0'],
  ['Timestamp', '0 1 2 3 4 5 6'],
  ['nothing', '0 1 2 3 4 5 6'],
])('by %s', async (sort, order) => {
  const { out } = await sluicebox(['view', '--sort', sort, '--fields', 'at', '-'], INPUT);
  expect(out.match(/(?<=at=)\d/g)?.join(' ')).toBe(order);
});

it('reads the name of a field with a colon in it', () => {
  expect(sortKeyOf('a:b')).toEqual({ name: 'a:b', isDescending: false });
  expect(sortKeyOf('a:b:desc')).toEqual({ name: 'a:b', isDescending: true });
});
