import { readFileSync } from 'node:fs';

/** The limit on open files and other descriptors in the text of `/proc/self/limits`, by proc(5): a name, the soft and the hard limit; null: it has none. */
export function openLimitIn(text: string): number | null {
  const soft = /^Max open files +(\d+)/m.exec(text)?.[1];
  return soft === undefined ? null : Number(soft);
}

/** How many descriptors the system lets this process have open; null: that is not known, or without a limit. */
export function openLimit(): number | null {
  try {
    return openLimitIn(readFileSync('/proc/self/limits', 'utf8'));
  } catch {
    return null;
  }
}
