import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { matchingFiles } from '../../../../engine/base/files/matching-files.ts';
import { temporaryFolder } from '../../inputs/harness.ts';

const TREE = [
  'a.log',
  'b.log.1',
  '.hidden.log',
  'x1.log',
  'sub/a.log',
  'sub/deep/c.log',
  'sub/.git/c.log',
  'other/a.txt',
  'other/deep/a.log',
  'other/deep/b/a.log',
];

const PATTERNS = [
  '*.log',
  '*.log*',
  '.*.log',
  '?.log',
  'x[0-9].log',
  '[!x]*.log',
  '{a,x1}.log',
  '{sub,other}/*',
  '{sub/deep,other}/*',
  '{sub/{deep,none},other/deep}/*.log',
  '*/a.*',
  '*/deep/*.log',
  '**/*.log',
  '**/deep/*.log',
  'sub/**',
  'sub/**/c.log',
  '**/b/../a.log',
  'link/*.log',
  '*/c.log',
  'none/*.log',
  '*/none',
  'sub/deep/c.log',
];

async function listed(paths: AsyncIterable<string>): Promise<string[]> {
  const found = new Set<string>();
  for await (const path of paths) found.add(path);
  return [...found].sort();
}

describe('matchingFiles', () => {
  it.each(PATTERNS)('finds what the glob of node:fs finds: %s', async (pattern) => {
    await using folder = await temporaryFolder();
    for (const name of TREE) {
      mkdirSync(dirname(folder.file(name)), { recursive: true });
      writeFileSync(folder.file(name), '');
    }
    symlinkSync(folder.file('sub/deep'), folder.file('link'));
    const told = vi.fn();
    const found = await listed(matchingFiles(join(folder.path, pattern), told));
    const expected = await listed(glob(join(folder.path, pattern)));
    expect(found).toEqual(expected.filter((path) => path !== folder.file('sub')));
    expect(told).not.toHaveBeenCalled();
  });

  it('tells which folder cannot be read', async () => {
    await using folder = await temporaryFolder();
    symlinkSync('loop', folder.file('loop'));
    const told = vi.fn();
    expect(await listed(matchingFiles(join(folder.path, 'loop', '*.log'), told))).toEqual([]);
    expect(told).toHaveBeenCalledWith(folder.file('loop'), expect.objectContaining({ code: 'ELOOP' }));
  });
});
