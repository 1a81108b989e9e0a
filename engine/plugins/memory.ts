import { readFile } from 'node:fs/promises';

interface Weight {
  /** Private bytes, and bytes of mapped files, which processes of one program share. */
  readonly own: number;
  readonly files: number;
}

/**
 * Returns the resident bytes of this process and others of the same program, with shared pages counted once (Linux: `status` of proc(5)).
 * On other systems it counts this process alone.
 */
export async function sharedResidentBytes(others: readonly number[]): Promise<number> {
  if (process.platform !== 'linux') return process.memoryUsage.rss();
  const texts = await Promise.all([process.pid, ...others].map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
  const weights = texts.map(weightOf);
  const files = Math.max(...weights.map((weight) => weight.files));
  return weights.reduce((sum, { own }) => sum + own, files);
}

/** @param status text of `/proc/PID/status`; empty: the process has ended */
export function weightOf(status: string): Weight {
  const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { own: bytes('RssAnon') + bytes('RssShmem'), files: bytes('RssFile') };
}
