import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const folder = mkdtempSync(join(tmpdir(), 'sluicebox-plugins-'));
export function script(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
