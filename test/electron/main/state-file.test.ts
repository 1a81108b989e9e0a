import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StateFile } from '../../../electron/main/state-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluicebox-state-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it('a value that cannot be written counts until the end, and leaves no draft', () => {
  const path = join(folder, 'window.json');
  const file = new StateFile(path, { width: 1 });
  file.save({ width: 2 });
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // Nothing can be put in its place, as on a full disk.
  rmSync(path);
  mkdirSync(join(path, 'in the way'), { recursive: true });
  file.save({ width: 3 });
  expect(file.value).toEqual({ width: 3 });
  expect(said.mock.calls.flat().join('')).toContain(`${path} was not written`);
  expect(readdirSync(folder)).toEqual(['window.json']);
  rmSync(path, { recursive: true });
  file.save({ width: 4 });
  expect(new StateFile(path, { width: 1 }).value).toEqual({ width: 4 });
  expect(readdirSync(folder)).toEqual(['window.json']);
});
