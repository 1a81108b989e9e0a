import { mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover, isPattern } from '../../../../engine/inputs/file/discovery.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluicebox-test-'));
const at = (name: string): string => join(folder, name);
mkdirSync(at('sub'));
mkdirSync(at('d.log'));
for (const [i, name] of ['b.log', 'a.log', 'sub/c.log', '[x].log'].entries()) {
  writeFileSync(at(name), '');
  utimesSync(at(name), 1000 + i, 1000 + i);
}

describe('discover', () => {
  it('finds the files of patterns from the oldest to the newest', async () => {
    const { files, directories, unmatched } = await discover([at('**/*.log')]);
    expect(files.map(({ path, explicit }) => [path, explicit])).toEqual([
      [at('b.log'), false],
      [at('a.log'), false],
      [at('sub/c.log'), false],
      [at('[x].log'), false],
    ]);
    expect([...directories].sort()).toEqual([folder, at('sub')]);
    expect(unmatched).toEqual([]);
  });

  it('takes paths as they are, in their order, and each file once', async () => {
    const { files } = await discover([at('later.log'), at('a.log'), at('*.log'), at('a.log')]);
    expect(files.map(({ path, explicit }) => [path, explicit])).toEqual([
      [at('later.log'), true],
      [at('a.log'), true],
      [at('b.log'), false],
      [at('[x].log'), false],
    ]);
  });

  it('tells patterns that match nothing, and where they may', async () => {
    const { files, directories, unmatched } = await discover([at('none/*.log')]);
    expect([files, [...directories], unmatched]).toEqual([[], [at('none')], [at('none/*.log')]]);
  });
});

it('the name of a file that exists is no pattern', () => {
  expect([isPattern(at('[x].log')), isPattern(at('[y].log')), isPattern(at('a.log')), isPattern('/a/{b,c}')]).toEqual([
    false,
    true,
    false,
    true,
  ]);
});

it('a folder that cannot be read is told, and is no pattern that matches nothing', async () => {
  symlinkSync('loop', at('loop'));
  const { unmatched, unreadable } = await discover([at('loop/*.log')]);
  expect([unmatched, [...unreadable.keys()]]).toEqual([[], [at('loop')]]);
});
