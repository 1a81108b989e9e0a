import type { LineCount } from '../contract/types.ts';

/** Maximum number of counted places; later ones share the last cell. */
const MAX_PLACES = 32_768;

/** Counts the steps of a script by line. The counts are in shared memory, so that they can be read after the isolate has ended. */
export class LineProfile {
  readonly cells = new SharedArrayBuffer(MAX_PLACES * Float64Array.BYTES_PER_ELEMENT);
  readonly #places: { readonly file: string; readonly line: number }[] = [{ file: 'functions of the sandbox', line: 0 }];

  /** The number of the cell that counts a place in a file; lines count from 1. */
  cellOf(file: string, line: number): number {
    if (this.#places.length < MAX_PLACES) this.#places.push({ file, line });
    return this.#places.length - 1;
  }

  /** The lines that took steps, the most expensive first. */
  lines(): LineCount[] {
    const counts = new Float64Array(this.cells);
    const lines = new Map<string, LineCount>();
    for (const [cell, { file, line }] of this.#places.entries()) {
      const key = `${file}:${line}`;
      const steps = (lines.get(key)?.steps ?? 0) + (counts[cell] as number);
      if (steps > 0) lines.set(key, { file, line, steps });
    }
    return [...lines.values()].sort((a, b) => b.steps - a.steps);
  }
}
