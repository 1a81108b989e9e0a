import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { draftBeside } from '../../../../engine/workspace/common/draft.ts';

/** The number of a process that has ended. */
const gone = spawnSync(process.execPath, ['--version']).pid;
const HEX = '0123456789abcdef';

describe('draftBeside', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sluicebox-draft-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['out.log', 'a+b (1) [x].csv', 'ünïcode 🪵.txt', 'line\nend'])('removes what others left of %j, and nothing else', (name) => {
    const stays = [
      name,
      `${name}.part`,
      `${name}.${HEX}.part`,
      `${name}.${gone}-short.part`,
      `${name}.${process.ppid}-${HEX}.part`,
      `${name}.${process.pid}-${HEX}.part`,
      `x${name}.${gone}-${HEX}.part`,
      `${name}x.${gone}-${HEX}.part`,
    ];
    for (const one of [...stays, `${name}.${gone}-${HEX}.part`]) writeFileSync(join(folder, one), '');
    const draft = draftBeside(join(folder, name));
    expect(readdirSync(folder).sort()).toEqual(stays.sort());
    expect(basename(draft).replace(/-[0-9a-f]{16}\.part$/, '')).toBe(`${name}.${process.pid}`);
  });

  it('does without a folder that is not there', () => {
    expect(draftBeside(join(folder, 'no', 'out.log'))).toContain('out.log.');
  });
});
