/**
 * The `sketch` output: what a filter has counted since its last output, in a form that can be merged. A header line in JSON is followed by a line for each
 * row: the begin of its time in seconds since 1970, a tab, and JSON.
 */
import { formatNumber } from '../../base/number_format.ts';
import { MAX_BYTES, outputBytes } from '../../base/output_size.ts';
import { HyperLogLog } from '../../modules/hyperloglog.ts';
import { QuantileSketch, type SavedSketch } from '../../modules/quantile_sketch.ts';

export interface SketchRow {
  readonly seconds: number;
  readonly data: unknown;
}

/** Of `unique_items`: rows are days, with the registers of an estimator. */
export interface UniqueLayout {
  readonly sketch: 'unique';
  readonly rows: number;
  readonly column: string;
}

/** Of `percentiles`: rows are those of the graph, with a quantile sketch. */
export interface QuantileLayout {
  readonly sketch: 'quantiles';
  readonly rows: number;
  readonly seconds_per_row: number;
  readonly percentiles: string;
  readonly unit: string;
}

/** Of `frequent_items`: a row is a value with its weight, at the newest day of the values. */
export interface FrequentLayout {
  readonly sketch: 'frequent';
  readonly variable: string;
  readonly capacity: number;
  readonly min_weight: number;
  readonly reset_days: number;
}

export type SketchLayout = UniqueLayout | QuantileLayout | FrequentLayout;

/** Outputs of a tick: a filter may not inject many. */
const MAX_OUTPUTS = 3;

/**
 * Injects rows, in several outputs if they are many. Returns how many of them are output; the rest is to wait. A row that exceeds an output by itself is
 * left out.
 */
export function injectSketch(title: string, layout: SketchLayout, rows: readonly SketchRow[]): number {
  const header = `${JSON.stringify(layout)}\n`;
  const limit = MAX_BYTES - outputBytes(header);
  let next = 0;
  for (let output = 0; output < MAX_OUTPUTS && next < rows.length; output++) {
    let text = '';
    for (let bytes = 0; next < rows.length; next++) {
      const { seconds, data } = rows[next] as SketchRow;
      const line = `${seconds}\t${JSON.stringify(data)}\n`;
      const size = outputBytes(line);
      if (size > limit) continue;
      if ((bytes += size) > limit) break;
      text += line;
    }
    if (text !== '') inject_payload('sketch', title, header + text);
  }
  return next;
}

/** The last second that a Timestamp can hold. */
const LAST_SECOND = 9_223_372_035;
/** Characters of a header line, which is kept. */
const MAX_HEADER = 4000;

/** Takes a payload apart. Null when it is anything else. */
export function parseSketch(payload: string): { readonly header: string; readonly rows: readonly SketchRow[] } | null {
  const [header = '', ...lines] = payload.split('\n');
  if (lines.length < 2 || lines.pop() !== '') return null;
  const rows = lines.map(parseRow);
  return rows.includes(null) ? null : { header, rows: rows as SketchRow[] };
}

function parseRow(line: string): SketchRow | null {
  const [, seconds, json] = /^(\d{1,10})\t(.*)$/.exec(line) ?? [];
  return json === undefined || Number(seconds) > LAST_SECOND ? null : { seconds: Number(seconds), data: parsed(json) };
}

/** Reads a header line. Null when it is of none of the layouts. */
export function parseSketchLayout(header: string): SketchLayout | null {
  if (header.length > MAX_HEADER) return null;
  const layout = parsed(header) as Partial<Record<string, unknown>> | null;
  if (typeof layout !== 'object' || layout === null) return null;
  const isText = (name: string): boolean => typeof layout[name] === 'string';
  const isCount = (name: string, minimum: number): boolean => Number.isSafeInteger(layout[name]) && (layout[name] as number) >= minimum;
  const fits =
    (layout['sketch'] === 'unique' && isCount('rows', 2) && isText('column')) ||
    (layout['sketch'] === 'quantiles' &&
      ['unit', 'percentiles'].every(isText) &&
      isCount('rows', 2) &&
      isCount('seconds_per_row', 1) &&
      percentsOf(String(layout['percentiles'])).every((percent) => percent >= 0 && percent <= 100)) ||
    (layout['sketch'] === 'frequent' &&
      isText('variable') &&
      isCount('capacity', 1) &&
      isCount('min_weight', 0) &&
      isCount('reset_days', 0));
  return fits ? (layout as unknown as SketchLayout) : null;
}

/** The numbers of a list of percentiles. */
export const percentsOf = (percentiles: string): number[] => percentiles.split(' ').map(Number);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

/** The registers of an estimator, with runs of empty ones as their number in parentheses. */
export const estimatorData = (estimator: HyperLogLog): string => estimator.toSaved().replace(/0{4,}/g, ({ length }) => `(${length})`);

/** The estimator of the registers of a row. Null when they are none. */
export function estimatorOf(data: unknown): HyperLogLog | null {
  if (typeof data !== 'string') return null;
  // Counted before it is written out.
  let length = data.length;
  for (const [run, count] of data.matchAll(/\((\d{1,5})\)/g)) length += Number(count) - run.length;
  if (length !== REGISTERS) return null;
  try {
    return HyperLogLog.fromSaved(data.replace(/\((\d{1,5})\)/g, (_, count: string) => '0'.repeat(Number(count))));
  } catch {
    return null;
  }
}

/** Registers of an estimator. */
export const REGISTERS = 16_384;

export function quantileData(sketch: QuantileSketch): unknown {
  const { positive, negative, ...rest } = sketch.toSaved();
  return { ...rest, positive: [...positive], negative: [...negative] };
}

/** The sketch of a row. Null when it is none. */
export function quantilesOf(data: unknown): QuantileSketch | null {
  const { exact, positive, negative, zeros, minimum, maximum } = (data ?? {}) as Partial<Record<keyof SavedSketch, unknown>>;
  if (exact !== null && !(Array.isArray(exact) && exact.length <= MAX_EXACT && exact.every(Number.isFinite))) return null;
  if (!isBuckets(positive) || !isBuckets(negative) || !isWeight(zeros)) return null;
  if (!Number.isFinite(minimum) || !Number.isFinite(maximum)) return null;
  const saved = { exact, positive: new Map(positive), negative: new Map(negative), zeros, minimum, maximum };
  return QuantileSketch.fromSaved(saved as SavedSketch);
}

/** Numbers that a quantile sketch keeps as they are, and its buckets on each side. */
const MAX_EXACT = 256;
const MAX_BUCKETS = 2048;

function isBuckets(value: unknown): value is [number, number][] {
  return Array.isArray(value) && value.length <= MAX_BUCKETS && value.every(isBucket);
}

function isBucket(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[0]) && isWeight(value[1]);
}

const isWeight = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** A value and its weight. Null when the row has none. */
export function weightOf(data: unknown): readonly [value: string, weight: number] | null {
  const isOne = Array.isArray(data) && data.length === 2 && typeof data[0] === 'string' && isWeight(data[1]);
  return isOne ? (data as [string, number]) : null;
}

/** A value of a message as the key of a table of weights, by which numbers and texts are told apart: its first character is not shown. */
export const weightKey = (item: Scalar): string => (typeof item === 'number' ? `#${formatNumber(item)}` : `"${item}`);
