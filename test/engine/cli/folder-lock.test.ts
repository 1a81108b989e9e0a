import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimFolder } from '../../../engine/cli/folder-lock.ts';

describe('claimFolder', () => {
  let folder: string;
  let warnings: string[];
  const claim = (): (() => void) => claimFolder(folder, (text) => warnings.push(text));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluicebox-lock-'));
    warnings = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['no', null],
    ['an empty', ''],
    ['a damaged', '\0\u0001damaged'.repeat(500)],
  ])('keeps others out where there is %s lock file, until it is released', (_, text) => {
    if (text !== null) writeFileSync(join(folder, 'service.lock'), text);
    const release = claim();
    expect(claim).toThrow(`another service (process ${process.pid}) works in base_dir ${folder}.`);
    release();
    claim()();
    expect(warnings).toEqual([]);
  });
});
