import { z } from 'zod';
import { MatcherError } from '../matcher/errors.ts';
import { compileExpression } from '../matcher/expression.ts';

// Each schema reads few tables: what zod would compile for it takes longer than it saves.
z.config({ jitless: true });

/** Kinds of values of parameters. `shown` is how documentation and forms call the type. */

export const text = z.string();
export const flag = z.boolean();
/** A whole number from 0 on. */
export const count = z.int().nonnegative();
/** Bytes; 0 means no limit. */
export const bytes = count.meta({ shown: 'bytes' });
export const seconds = count.meta({ shown: 'seconds' });
export const path = text.min(1).meta({ shown: 'path' });

/** A text of one line: a line end in it would begin another header. */
export const oneLine = text.refine((value) => !hasControls(value), { error: 'must be one line without control characters' });

/** Value of a header of HTTP, which can have no other characters. */
export const headerValue = oneLine.refine((value) => [...value].every((character) => character <= '\xff'), {
  error: 'must have no characters but those of Latin-1',
});

/** Name of a header of HTTP. */
export const headerName = text.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'is not a valid name of a header' });

function hasControls(value: string): boolean {
  return [...value].some((character) => (character < ' ' && character !== '\t') || character === '\x7f');
}

const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:\.\d+)?(?:ns|us|ms|s|m|h))+$/;

/** A duration such as `250ms` or `1h30m`, as milliseconds. */
export const duration = text
  .refine((value) => value === '0' || DURATION.test(value), { error: 'must be a duration such as 250ms, 2m or 1h30m' })
  .transform((value) => {
    let sum = 0;
    for (const [, amount, unit] of value.matchAll(/([\d.]+)([a-z]+)/g)) sum += Number(amount) * (UNITS[unit as string] as number);
    return sum;
  })
  .meta({ shown: 'duration' });

/** A matcher expression, kept as text. */
export const matcher = text
  .check((context) => {
    try {
      compileExpression(context.value);
    } catch (error) {
      if (!(error instanceof MatcherError)) throw error;
      const params = { hint: `in ${context.value}` };
      context.issues.push({ code: 'custom', input: context.value, message: `is not a matcher: ${error.message}`, params });
    }
  })
  .meta({ shown: 'matcher' });

/** `host:port`; the host may be empty, a name, an IPv4 address or an IPv6 address in brackets. */
export const address = text
  .refine(
    (value) => /^(?:[^\s:[\]]*|\[[0-9A-Fa-f:.%\w]+\]):\d{1,5}$/.test(value) && Number(value.slice(value.lastIndexOf(':') + 1)) < 65_536,
    {
      error: 'must be host:port, such as 127.0.0.1:5514 or [::]:5514',
    },
  )
  .meta({ shown: '`host:port`' });

/** A URL of a web server. */
export const url = text
  .refine((value) => /^https?:/i.test(value) && URL.canParse(value), { error: 'must be a URL that begins with http:// or https://' })
  .meta({ shown: 'URL' });

/** A table whose texts, numbers and booleans scripts can read; they see nothing of lists, tables and dates. */
export const scriptConfig = z
  .record(z.string(), z.unknown())
  .transform((table) => {
    const readable = Object.entries(table).filter((entry): entry is [string, string | number | boolean] => isReadable(entry[1]));
    return Object.fromEntries(readable);
  })
  .meta({ shown: 'table' });

const isReadable = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Whether a name is `UTC`, `Local` or a time zone of the IANA database. */
export function isTimeZone(name: unknown): boolean {
  if (typeof name !== 'string') return false;
  if (name === 'Local' || name === '') return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
