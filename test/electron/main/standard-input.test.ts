import { appendFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forgetStandardInputs, hasBegun, isStandardInput, standardInputPath } from '../../../electron/main/standard-input.ts';

describe('standard input', () => {
  const data = mkdtempSync(join(tmpdir(), 'sluicebox-stdin-'));
  const path = standardInputPath(data, 17);

  it('is a file of its own for each process', () => {
    expect(path).not.toBe(standardInputPath(data, 18));
    expect([path, join(data, 'workspace.toml'), '/var/log/syslog'].map(isStandardInput)).toEqual([true, false, false]);
  });

  it('has begun when something has come and no more comes at once', async () => {
    const ending = new AbortController();
    let begun = false;
    const waits = hasBegun(path, ending.signal).then(() => (begun = true));
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    await new Promise(setImmediate);
    expect(begun).toBe(false);
    appendFileSync(path, 'a line\n');
    await waits;
    expect(begun).toBe(true);
  });

  it('is waited for no more when the window goes', async () => {
    const ending = new AbortController();
    const waits = hasBegun(standardInputPath(data, 19), ending.signal);
    ending.abort();
    await expect(waits).rejects.toThrow();
  });

  it('is forgotten', () => {
    forgetStandardInputs(data);
    expect(existsSync(path)).toBe(false);
  });
});
