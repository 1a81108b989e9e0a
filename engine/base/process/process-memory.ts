import { readFile } from 'node:fs/promises';

/** Memory of a process in bytes. */
interface Weight {
  /** Memory of its own. */
  readonly own: number;
  /** Mapped files, which processes of one program share. */
  readonly files: number;
}

/**
 * Returns the bytes of memory that processes hold together, where each has its share of the pages that several have (PSS of proc(5), Linux). A process
 * that has ended counts nothing. When the shares of one may not be read, what all have for themselves counts, and what one maps of files.
 */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const shares = await Promise.all(pids.map(shareOf));
  if (shares.every((share) => share !== null)) return shares.reduce((sum, share) => sum + share, 0);
  const weights = await Promise.all(pids.map(async (pid) => weightOf((await textOf(pid, 'status')) ?? '')));
  return weights.reduce((sum, { own }) => sum + own, Math.max(0, ...weights.map(({ files }) => files)));
}

/** Null: it may not be read. */
async function shareOf(pid: number): Promise<number | null> {
  const text = await textOf(pid, 'smaps_rollup');
  if (text !== null) return bytesOf(text, 'Pss');
  return (await textOf(pid, 'status')) === null ? 0 : null;
}

/** @param status text of `/proc/PID/status`; empty: the process has ended */
export function weightOf(status: string): Weight {
  return { own: bytesOf(status, 'RssAnon') + bytesOf(status, 'RssShmem'), files: bytesOf(status, 'RssFile') };
}

/** The process that a process was started by (Linux); null: it has ended. */
export async function parentOf(pid: number): Promise<number | null> {
  const parent = /^PPid:\s+(\d+)/m.exec((await textOf(pid, 'status')) ?? '')?.[1];
  return parent === undefined ? null : Number(parent);
}

const bytesOf = (text: string, name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;

/** Text of a file of a process; null when it cannot be read. */
const textOf = (pid: number, name: string): Promise<string | null> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => null);
