import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

it('a value that cannot be written counts until the end, and what was written before stays', () => {
  const path = join(folder, 'window.json');
  const file = new StateFile(path, { width: 1 });
  file.save({ width: 2 });
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // In the way of the draft, as a full disk is.
  mkdirSync(`${path}.new`);
  file.save({ width: 3 });
  expect(file.value).toEqual({ width: 3 });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ width: 2 });
  expect(said.mock.calls.flat().join('')).toContain(`${path} was not written`);
  rmSync(`${path}.new`, { recursive: true });
  file.save({ width: 4 });
  expect(new StateFile(path, { width: 1 }).value).toEqual({ width: 4 });
  expect(readdirSync(folder)).toEqual(['window.json']);
});
