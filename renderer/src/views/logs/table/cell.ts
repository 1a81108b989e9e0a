import type { SchemaField } from '../../../../../engine/api/types.ts';
import { BYTES, NANOSECONDS, formatBytes, formatCompact, formatNs } from '../../../lib/format.ts';
import { ownEntry } from '../../../lib/own-entry.ts';

/** The look of the values of a field in the table. */
export interface CellLook {
  /** Whether values are aligned to the right, as numbers are. */
  readonly right: boolean;
  /** The text of a value. */
  readonly text: (value: string) => string;
  /** The class whose colour a value has beside its text; null: none. */
  readonly tone: (value: string) => StatusClass | null;
}

export type StatusClass = '1xx' | '2xx' | '3xx' | '4xx' | '5xx';

/** @param field its facts in the schema; undefined: none yet */
export function lookOf(name: string, field: Pick<SchemaField, 'type' | 'representation'> | undefined): CellLook {
  if (name === 'Logger') return { right: false, text: shortLogger, tone: () => null };
  const status = isStatus(name);
  const tone = status ? statusClass : (): null => null;
  const right = field?.type === 'number';
  const unit = field?.representation ?? '';
  if (status || !right) return { right, text: (value) => value, tone };
  const [bytes, nanoseconds] = [ownEntry(BYTES, unit), ownEntry(NANOSECONDS, unit)];
  if (bytes !== undefined) return { right, tone, text: scaled(bytes, formatBytes) };
  if (nanoseconds !== undefined) return { right, tone, text: scaled(nanoseconds, formatNs) };
  return { right, tone, text: unit === '' ? fewerDigits : scaled(1, (value) => `${formatCompact(value)} ${unit}`) };
}

/** Values with many decimals, as programs write them, with three, or four significant ones below 1; the others as they are. */
function fewerDigits(value: string): string {
  if (!/^-?\d+\.\d{5,}$/.test(value)) return value;
  const number = Number(value);
  return Math.abs(number) < 1 ? String(Number(number.toPrecision(4))) : number.toFixed(3);
}

/** Characters up to which the name of a logger is written in full. */
const LOGGER_LENGTH = 18;

/** The name of a class with its packages as letters, the first ones first, until it is short: `o.e.shop.Checkout`. */
export function shortLogger(name: string): string {
  if (!/^[\w$]+(?:\.[\w$]+)+$/.test(name)) return name;
  const parts = name.split('.');
  for (let i = 0, length = name.length; i < parts.length - 1 && length > LOGGER_LENGTH; i++) {
    const part = parts[i] as string;
    parts[i] = part.charAt(0);
    length -= part.length - 1;
  }
  return parts.join('.');
}

/** Whether a field of this name holds the status codes of HTTP (RFC 9110, section 15). */
function isStatus(name: string): boolean {
  return name === 'status' || name.endsWith('_status');
}

/** The class of a status code; null: it is none. */
export function statusClass(value: string): StatusClass | null {
  return /^[1-5]\d\d$/.test(value) ? (`${value.charAt(0)}xx` as StatusClass) : null;
}

function scaled(factor: number, format: (value: number) => string): (value: string) => string {
  return (value) => {
    const number = Number(value);
    return value === '' || !Number.isFinite(number) ? value : format(number * factor);
  };
}
