import { readdirSync, readFileSync } from 'node:fs';
import { ownCpuSeconds } from './processes.ts';

/** A figure for each kind of process of the window. */
export type ByKind = ReadonlyMap<string, number>;

/** MiB that a process and all below it hold, by kind, with pages that several share divided among them (PSS: `smaps_rollup` of proc(5)). */
export function memoryByKind(root: number): ByKind {
  return byKind(root, (pid) => Number(/^Pss:\s*(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024);
}

/** Seconds of processor time that a process and all below it have used, by kind. */
export function cpuByKind(root: number): ByKind {
  return byKind(root, (pid) => ownCpuSeconds(pid) || 0);
}

/** The first process of a kind below another one. */
export function pidOf(root: number, kind: string): number | undefined {
  return family(root).find((pid) => kindOfProcess(pid) === kind);
}

function byKind(root: number, figureOf: (pid: number) => number): ByKind {
  const kinds = new Map<string, number>();
  for (const pid of family(root)) {
    const kind = kindOfProcess(pid);
    kinds.set(kind, (kinds.get(kind) ?? 0) + figureOf(pid));
  }
  return kinds;
}

function kindOfProcess(pid: number): string {
  const command = read(pid, 'cmdline').replaceAll('\0', ' ');
  const type = /--type=([a-z-]+)/.exec(command)?.[1];
  if (type !== undefined) return type.replace('-process', '');
  if (command.includes('--permission')) return 'hosts';
  return /\/engine\/(?:index\.ts|b-\w+\/main\.mjs)/.test(command) ? 'engine' : 'shell';
}

function family(root: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), Number(/^PPid:\s*(\d+)/m.exec(read(Number(name), 'status'))?.[1] ?? 0)]));
  const found = [root];
  for (const member of found) for (const [pid, parent] of parents) if (parent === member) found.push(pid);
  return found;
}

/** Empty when the process has ended. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
