import { readFileSync } from 'node:fs';

/** A limit of the system on the memory of this process and of those that it starts. */
export interface ProcessLimit {
  readonly bytes: number;
  /** The shell's command that sets it. */
  readonly command: string;
}

const LIMITS: readonly (readonly [line: string, command: string])[] = [
  ['Max address space', 'ulimit -v'],
  ['Max data size', 'ulimit -d'],
];

/** The limits on memory that are set, by proc(5): each line is a name, the soft and the hard limit, and a unit. */
export function memoryLimitsIn(text: string): ProcessLimit[] {
  return LIMITS.flatMap(([line, command]) => {
    const bytes = Number(new RegExp(`^${line} +(\\d+)`, 'm').exec(text)?.[1] ?? NaN);
    return Number.isNaN(bytes) ? [] : [{ bytes, command }];
  });
}

/** Returns the limits on memory that are set for this process; none on systems other than Linux. */
export function memoryLimits(): ProcessLimit[] {
  try {
    return memoryLimitsIn(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return [];
  }
}
