import { ALL_HEADERS, headerNamed } from '../../api/headers.ts';
import { kindOf } from './arguments.ts';
import { objectKeys, trunc } from './intrinsics.ts';
import { numericValue } from './numbers.ts';
import { state } from './state/state.ts';
import { rawUuid } from './uuid.ts';

/** Hints about a script that is being tried: calls that the contract ignores without an error. */
const hints: string[] = [];
/** Most hints that are kept. */
const MAX_HINTS = 20;

export function takenHints(): readonly string[] {
  return hints;
}

export function hint(text: string): void {
  if (hints.length < MAX_HINTS && !hints.includes(text)) hints.push(text);
}

const KEYS = [...ALL_HEADERS.map(({ name }) => name as string), 'Fields'];

/** Says what of an injected table is left out or changed. */
export function hintsOf(table: Readonly<Record<string, unknown>>): void {
  const keys = objectKeys(table);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const value = table[key];
    if (value === undefined || value === null) continue;
    const said = hintFor(key, value);
    if (said !== null) hint(`inject_message: ${said}`);
  }
}

function hintFor(key: string, value: unknown): string | null {
  if (key === 'Fields')
    return typeof value === 'object' ? null : `Fields takes an object or a list, not ${kindOf(value)}; there are no fields`;
  switch (headerNamed(key)?.kind) {
    case 'text':
      return hintForText(key, value);
    case 'int':
      return hintForInteger(key, value);
    case 'uuid':
      return rawUuid(value) === null ? 'Uuid takes 16 bytes; another one is made' : null;
    case 'time':
      return hintForTime(value);
    default:
      return hintForUnknown(key);
  }
}

function hintForTime(value: unknown): string | null {
  if (typeof value === 'bigint' || numericValue(value) !== null) return null;
  const given = typeof value === 'string' ? `the text ${value.slice(0, 80)}` : kindOf(value);
  return `Timestamp takes nanoseconds, not ${given}; it becomes the time of now`;
}

function hintForUnknown(key: string): string {
  const meant = KEYS.find((known) => known.toLowerCase() === key.toLowerCase());
  const advice = meant === undefined ? `what is not a header belongs into Fields` : `${meant} is meant`;
  return `there is no header ${key.slice(0, 80)}, and it is left out; ${advice}`;
}

function hintForText(key: string, value: unknown): string | null {
  if (state.setup.kind === 'filter' && (key === 'Logger' || key === 'Hostname')) return `a filter cannot choose its ${key}`;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? null
    : `${key} takes a text, not ${kindOf(value)}, and is left out`;
}

function hintForInteger(key: string, value: unknown): string | null {
  const number = typeof value === 'bigint' ? Number(value) : numericValue(value);
  if (number === null) return `${key} takes a number, and is left out`;
  const kept = trunc(number) | 0;
  return kept === number ? null : `${key} of ${number} is cut to 32 bits: it becomes ${kept}`;
}
