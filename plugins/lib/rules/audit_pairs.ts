/** Names and values of Linux audit events: `pid=812 uid=0 exe="/usr/sbin/sshd" msg='op=login acct="root" res=failed'`. */
import { hexValue, isSpace } from '../../base/scan.ts';
import { utf8Text } from '../../base/utf8_text.ts';
import type { LogField } from '../../modules/table_writer.ts';

/** Values that auditd writes in hexadecimal digits when they have blanks, quotes or other bytes than ASCII's in them. */
const ENCODED = new Set(['acct', 'cmd', 'comm', 'cwd', 'data', 'exe', 'file', 'grp', 'key', 'name', 'path', 'proctitle', 'vm', 'watch']);
/** Words of digits that are no numbers. */
const TEXTS = /^(?:a\d+|arch|dev|rdev|mode|old_prom|prom|perm|argc_len|saddr|fp|fi|fe|fver|cap_\w+|hash|ver)$/;
const NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;
const NAME = /^[A-Za-z][\w-]*(?:\[\d{1,6}\])?$/;
/** Arguments of a command, and pieces of long ones. */
const ARGUMENT = /^a\d{1,6}(?:\[\d{1,6}\])?$/;
/** Words that stand for no value. */
const NOTHING = new Set(['', '?', '(null)', '(none)']);
/** Separates what auditd adds for people (`log_format = ENRICHED`) from the event. */
const ENRICHED = 0x1d;
const [EQUALS, DOUBLE, SINGLE] = [61, 34, 39];

/**
 * The fields in [at, end) of a text; words without a name are passed over.
 * @param kind of the event: arguments of `EXECVE` are texts, those of a system call are numbers
 */
export function auditFields(text: string, at: number, end: number, kind = ''): LogField[] {
  const fields: LogField[] = [];
  for (let from = at; from < end;) {
    const code = text.charCodeAt(from);
    if (isGap(code)) {
      from++;
      continue;
    }
    const equals = nameEnd(text, from, end);
    const quote = text.charCodeAt(equals + 1);
    const isQuoted = quote === DOUBLE || quote === SINGLE;
    const to = isQuoted ? closing(text, equals + 2, end, quote) : wordEnd(text, from, end);
    if (equals < to && NAME.test(text.slice(from, equals))) addField(fields, text, kind, { from, equals, to });
    from = to + 1;
  }
  return fields;
}

interface Pair {
  readonly from: number;
  readonly equals: number;
  readonly to: number;
}

function addField(fields: LogField[], text: string, kind: string, { from, equals, to }: Pair): void {
  const name = text.slice(from, equals);
  const quote = text.charCodeAt(equals + 1);
  if (quote === SINGLE) {
    const inner = auditFields(text, equals + 2, to, kind);
    for (const field of inner) fields.push(field);
    if (inner.length === 0) fields.push({ name, value: text.slice(equals + 2, to) });
    return;
  }
  const value = quote === DOUBLE ? text.slice(equals + 2, to) : valueOf(name, text.slice(equals + 1, to), kind);
  if (typeof value === 'number' || !NOTHING.has(value)) fields.push({ name, value });
}

function valueOf(name: string, word: string, kind: string): string | number {
  if (ENCODED.has(name) || (kind === 'EXECVE' && ARGUMENT.test(name))) return decoded(word) ?? word;
  return NUMBER.test(word) && !TEXTS.test(name) ? Number(word) : word;
}

/** The text that hexadecimal digits stand for; arguments of a command are separated by NUL. null for other words. */
function decoded(word: string): string | null {
  if (word.length === 0 || word.length % 2 === 1) return null;
  const bytes = new Uint8Array(word.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const [high, low] = [hexValue(word.charCodeAt(2 * i)), hexValue(word.charCodeAt(2 * i + 1))];
    if (high < 0 || low < 0) return null;
    bytes[i] = high * 16 + low;
  }
  return utf8Text(bytes).replaceAll('\0', ' ').trimEnd();
}

/** The position of the equals sign of the word at `at`, or its end when it has none. */
function nameEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && text.charCodeAt(to) !== EQUALS && !isGap(text.charCodeAt(to))) to++;
  return to;
}

function wordEnd(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && !isGap(text.charCodeAt(to))) to++;
  return to;
}

/** The position of the quote, or the end of a text that was cut. */
function closing(text: string, at: number, end: number, quote: number): number {
  const to = text.indexOf(String.fromCharCode(quote), at);
  return to < 0 || to > end ? end : to;
}

function isGap(code: number): boolean {
  return code === ENRICHED || isSpace(code);
}
