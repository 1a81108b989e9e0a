import { statSync } from 'node:fs';
import { readTextSync } from '../files/regular-file.ts';

const MOST_BYTES = 1 << 20;
/** `1: POSIX  ADVISORY  WRITE 4711 08:01:1234 0 EOF`: kind, process, numbers of the device and of the file. */
const LOCK = /^\d+: \w+ +\w+ +(?:READ|WRITE) +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /;

/** The process that keeps a file locked, as `process 4711 (sqlite3)`; null: none does, or the system does not tell. */
export function lockHolder(path: string): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    for (const line of readTextSync('/proc/locks', MOST_BYTES).split('\n')) {
      const [, pid, major, minor, inode] = LOCK.exec(line) ?? [];
      if (pid === undefined || Number(pid) <= 0 || Number(pid) === process.pid || inode !== String(ino)) continue;
      if (deviceOf(`0x${major}`, `0x${minor}`) !== dev) continue;
      const name = readTextSync(`/proc/${pid}/comm`, MOST_BYTES).trim();
      return `process ${pid} (${name})`;
    }
  } catch {
    // It has ended, or what it is may not be read.
  }
  return null;
}

/** The number of a device as `stat` tells it (`makedev` of glibc). */
function deviceOf(major: string, minor: string): bigint {
  const [a, b] = [BigInt(major), BigInt(minor)];
  return ((a & 0xfffff000n) << 32n) | ((a & 0xfffn) << 8n) | ((b & 0xffffff00n) << 12n) | (b & 0xffn);
}
