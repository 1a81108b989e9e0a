import { expect, it } from 'vitest';
import { sharedResidentBytes, weightOf } from '../../../engine/plugins/memory.ts';

it('reads what a process has for itself, and what of files', () => {
  const status = 'Name:\tnode\nVmRSS:\t  110592 kB\nRssAnon:\t   61440 kB\nRssFile:\t   49152 kB\nRssShmem:\t       4 kB\n';
  expect(weightOf(status)).toEqual({ own: 61_444 * 1024, files: 49_152 * 1024 });
  expect(weightOf('')).toEqual({ own: 0, files: 0 });
});

it('counts shared pages once, and nothing of a process that has ended', async () => {
  const alone = await sharedResidentBytes([]);
  expect(alone).toBeGreaterThan(20e6);
  expect(alone).toBeLessThan(process.memoryUsage.rss() * 1.2);
  expect(Math.abs((await sharedResidentBytes([2 ** 30])) - alone)).toBeLessThan(20e6);
});
