import { statfs } from 'node:fs/promises';

/** Numbers of the file systems whose files the kernel writes at each read: proc, sysfs, debugfs, tracefs, cgroup and cgroup2. */
const GENERATED: ReadonlySet<number> = new Set([0x9fa0, 0x62656572, 0x64626720, 0x74726163, 0x27e0eb, 0x63677270]);

/**
 * Tells whether a file says how the system is now, as those of `/proc` and `/sys` do: it has no size, does not grow, and is another text at
 * each read.
 */
export async function isGenerated(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const info = await statfs(path).catch(() => null);
  return info !== null && GENERATED.has(info.type);
}
