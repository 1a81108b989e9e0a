import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process of Linux, as `/proc` shows it. */
export interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All processes that run; those that have ended and were not waited for are none. */
function running(): Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const status = read(`/proc/${name}/status`);
      const parent = /^PPid:\s*(\d+)/m.exec(status)?.[1];
      if (parent === undefined || /^State:\s*Z/m.test(status)) return [];
      return [{ pid: Number(name), parent: Number(parent), command: commandOf(Number(name)) }];
    });
}

/** The words with which a process was started, with blanks between them; empty when it is gone. */
export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

export const childrenOf = (pid: number): Running[] => running().filter(({ parent }) => parent === pid);

/** A process and all below it. */
export function familyOf(pid: number): number[] {
  const all = running();
  const family = [pid];
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member).map((child) => child.pid));
  return family;
}

export const lives = (pid: number): boolean => running().some((one) => one.pid === pid);

/** The open descriptors of a process and what they are; none when it is gone. */
export function descriptorsOf(pid: number): Map<number, string> {
  try {
    return new Map(readdirSync(`/proc/${pid}/fd`).map((name) => [Number(name), readlinkSync(`/proc/${pid}/fd/${name}`)]));
  } catch {
    return new Map();
  }
}

/** Ports on which a process listens. */
export function portsOf(pid: number): number[] {
  const own = new Set([...descriptorsOf(pid).values()].flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []));
  return ['tcp', 'tcp6'].flatMap((name) =>
    read(`/proc/${pid}/net/${name}`)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((columns) => columns[3] === LISTENS && own.has(columns[9] ?? ''))
      .map((columns) => Number.parseInt((columns[1] ?? '').split(':')[1] ?? '', 16)),
  );
}
const LISTENS = '0A';

export const statusOf = (pid: number, name: string): string | undefined =>
  new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(read(`/proc/${pid}/status`))?.[1];

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
