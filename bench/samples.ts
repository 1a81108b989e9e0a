import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');
const ACCESS_LOG = resolve(root, 'resources/samples/access.log');
export const LOG_FORMAT =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';

/** A folder that is removed at the end of the process. */
export const folder = mkdtempSync(join(tmpdir(), 'sluicebox-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The sample log, so many times in a row, as a file; with its number of lines. */
export function largeLog(copies: number): { readonly path: string; readonly lines: number; readonly bytes: number } {
  const text = readFileSync(ACCESS_LOG);
  const path = join(folder, `access-${copies}.log`);
  writeFileSync(path, '');
  for (let copy = 0; copy < copies; copy++) appendFileSync(path, text);
  const lines = text.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0) * copies;
  return { path, lines, bytes: text.length * copies };
}
