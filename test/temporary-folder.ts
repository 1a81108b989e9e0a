import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of tests a temporary folder of its own, which goes with all that is in it. Its name is short: paths of sockets end at 107 bytes. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sb-'));
  // Servers that are tested run as nobody, who must get to their own folders in it.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  // A process that outlives its test may still write there; that does not make the run fail.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
