import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { hasGpu } from '../../../electron/main/gpu.ts';

it.each([
  [[], false],
  [['dri/card0'], false],
  [['dri/card0', 'dri/renderD128'], true],
  [['nvidiactl'], true],
  [['dxg'], true],
])('%j: %s', (devices, expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'sluicebox-gpu-'));
  for (const device of devices) {
    mkdirSync(dirname(join(folder, device)), { recursive: true });
    writeFileSync(join(folder, device), '');
  }
  expect(hasGpu(folder)).toBe(expected);
});
