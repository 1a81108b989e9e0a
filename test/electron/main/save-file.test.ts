import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { saveFile } from '../../../electron/main/save-file.ts';
import { CAN_MOUNT, SmallDisk } from '../../small-disk.ts';

it('makes a file, or takes the place of one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-save-'));
  for (const content of ['one', Buffer.from('two')]) await saveFile(join(folder, 'a'), content);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('two');
  expect(readdirSync(folder)).toEqual(['a']);
});

it.runIf(CAN_MOUNT)('leaves what was there on a full disk, where file systems can be mounted', async () => {
  using disk = new SmallDisk(64);
  writeFileSync(disk.at('a'), 'one');
  disk.fill();
  await expect(saveFile(disk.at('a'), 'x'.repeat(9000))).rejects.toThrow('ENOSPC');
  expect(readFileSync(disk.at('a'), 'utf8')).toBe('one');
  expect(readdirSync(disk.path).sort()).toEqual(['a', 'filler']);
});
