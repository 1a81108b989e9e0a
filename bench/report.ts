import { cpus, totalmem } from 'node:os';
import type { BenchOptions } from './options.ts';

/** One line of the table. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit:
    | 'lines/s'
    | 'messages/s'
    | 'files/s'
    | 'ms'
    | 's'
    | 'MiB'
    | 'KiB'
    | '%'
    | 'MB/s'
    | 'µs/message'
    | 'µs/line'
    | 'bytes/line'
    | 'cores'
    | 'TB'
    | 'batches'
    | 'files'
    | '/M lines';
  /** Remark printed behind the value, such as its spread. */
  readonly note?: string | undefined;
}

/** A group of measurements. */
export interface Benchmark {
  readonly name: string;
  readonly title: string;
  run(options: BenchOptions): Promise<Figure[]>;
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** The value below which so many percent of the values lie (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1))] ?? NaN;
}

/** The machine and the runtime, for comparing figures with those of others. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${memory} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
}

const digits = (value: number): number => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

/** The figures of a group as text. */
export function table(title: string, figures: readonly Figure[]): string {
  const shown = figures.map(({ value, unit }) => `${value.toLocaleString('en', { maximumFractionDigits: digits(value) })} ${unit}`);
  const left = Math.max(...figures.map(({ what }) => what.length));
  const right = Math.max(...shown.map((text) => text.length));
  const lines = figures.map(
    ({ what, note }, i) => `  ${what.padEnd(left)}  ${(shown[i] as string).padStart(right)}${note === undefined ? '' : `  ${note}`}`,
  );
  return `${title}\n${lines.join('\n')}\n`;
}

/** Shows at a terminal what is being done; the table replaces it. */
export function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${what}`);
}

/** Takes the last word of `progress` away. */
export const endProgress = (): void => progress('');
