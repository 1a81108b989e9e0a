import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { IOType } from 'node:child_process';

/** The first descriptor that is no standard stream. */
const FIRST = 3;
/** The flag of a descriptor that children do not inherit, as `/proc/self/fdinfo` shows it. */
const CLOSE_ON_EXEC = 0o2000000;
/** Arguments that name a descriptor, such as `/dev/fd/63` of a shell's `<(…)`. */
const NAMED = /\/fd\/(\d+)/g;

/** Inherited descriptors that stay open. */
let kept: readonly number[] = [];
let nothing: number | null = null;

/**
 * Closes what this process has inherited beside its standard streams and would hand on to its children, such as files that a shell has open.
 * Node never hands on descriptors that it opens, so those that are handed on were inherited. Called first of all; Linux only: elsewhere nothing is inherited so.
 * @param names arguments; the descriptors that they name stay open, and children get `/dev/null` in their places
 */
export function closeInherited(names: readonly string[] = []): void {
  const named = new Set(names.flatMap((text) => [...text.matchAll(NAMED)].map(([, number]) => Number(number))));
  const inherited = handedOn();
  kept = inherited.filter((descriptor) => named.has(descriptor));
  for (const descriptor of inherited) if (!named.has(descriptor)) closeSync(descriptor);
}

/** The `stdio` of a child that has these streams alone. */
export function onlyStreams<T extends IOType | number>(streams: readonly T[]): (T | 'ignore' | number)[] {
  const all: (T | 'ignore' | number)[] = [...streams];
  for (const descriptor of kept) {
    while (all.length < descriptor) all.push('ignore');
    if (descriptor === all.length) all.push((nothing ??= openSync('/dev/null', 'r+')));
  }
  return all;
}

/** The descriptors that a child would inherit, in ascending order. */
function handedOn(): number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc/self/fdinfo')
      .map(Number)
      .filter((descriptor) => descriptor >= FIRST && !closesOnExec(descriptor))
      .sort((a, b) => a - b);
  } catch {
    return [];
  }
}

function closesOnExec(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? '';
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) !== 0;
  } catch {
    // The folder's own, which is closed by now.
    return true;
  }
}
