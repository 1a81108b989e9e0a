import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILLER = 'filler';
const PIECES = [4096, 512, 64, 1] as const;

/** Whether file systems can be mounted here: in many containers even root may not. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0 && mounts();

function mounts(): boolean {
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A disk of some KiB in memory, which can be full. Only where `CAN_MOUNT`. */
export class SmallDisk implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'sluicebox-disk-'));

  constructor(kib: number) {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', this.path]);
  }

  /** The path of a file on it. */
  at(name: string): string {
    return join(this.path, name);
  }

  /** Takes all the room that there is. */
  fill(): void {
    const file = openSync(this.at(FILLER), 'a');
    try {
      for (const bytes of PIECES) while (takes(file, bytes));
    } finally {
      closeSync(file);
    }
  }

  /** Takes all the room but so many bytes, in pages of 4 KiB. */
  leave(bytes: number): void {
    this.fill();
    truncateSync(this.at(FILLER), Math.max(0, statSync(this.at(FILLER)).size - bytes));
  }

  /** Makes room again. */
  free(): void {
    rmSync(this.at(FILLER), { force: true });
  }

  [Symbol.dispose](): void {
    spawnSync('umount', ['-l', this.path], { stdio: 'ignore' });
    rmSync(this.path, { recursive: true, force: true });
  }
}

function takes(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch {
    return false;
  }
}
