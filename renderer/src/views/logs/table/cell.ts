import type { SchemaField } from '../../../../../engine/api/types.ts';
import { quantityText } from '../../../../../engine/api/quantities.ts';

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
  return { right, tone, text: (value) => quantityText(value, unit) };
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
