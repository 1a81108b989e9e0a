/**
 * Generated code of the fields that most log formats have. It does what the scanner and the writer of a field do, in the function that reads the whole
 * line, so that no character is looked at twice and no function is called for a value. Where the code units of the text are at hand as bytes, the same
 * code looks at these: that takes half the time.
 */
import type { ClfDate } from '../../base/dates.ts';
import { nanoseconds } from '../../base/instant.ts';
import { client, ipv4 } from '../hosts.ts';
import { integerIn, isSpace, upToQuote } from '../../base/scan.ts';

/**
 * A field in a generated function. Its statements may use `text`, `at`, `end`, `writer`, the variable `code`, `$from` and `$to` for the ends of
 * the field, `$column`, and `$value`, which is the field's own variable from `scan` to `write`.
 */
export interface FieldCode {
  /** Moves `at` from the beginning of the field behind it, or sets it to -1. */
  readonly scan: string;
  /** The same for code units that are bytes, where it is other code than that for the text with these in its place. */
  readonly scanUnits?: string;
  readonly write: string;
  /** Values of the names that the statements use. */
  readonly scope: Readonly<Record<string, unknown>>;
}

/** Functions that scan and write a field, and its code if it has any. */
interface CodedField {
  readonly scan: unknown;
  readonly write: unknown;
  readonly code?: FieldCode;
}

/** Statements that move `at` from the beginning of field number `i`, which is `at<i>`, behind it, or set it to -1. */
export function scanCode({ code }: CodedField, i: number, inUnits = false): string {
  const scan = (inUnits ? code?.scanUnits : undefined) ?? code?.scan ?? `at = scan$i(text, at, end);`;
  return placed(inUnits ? unitsCode(scan) : scan, i);
}

/** Statements that look at the bytes in `units` where these statements look at characters of the text, which is made only for those who take a text. */
export const unitsCode = (statements: string): string =>
  statements.replaceAll(/\btext\.charCodeAt\(([^()]*)\)/g, 'units[$1]').replaceAll(/\btext\b/g, 'span.text');

/** Statements that write field number `i`, which ends at `to<i>`, into the columns from `column` on. */
export function writeCode({ code }: CodedField, i: number, column: number): string {
  return placed(code?.write ?? 'write$i(writer, $column, text, $from, $to);', i).replaceAll('$column', String(column));
}

/** Values of the names that the code of field number `i` uses. */
export function codeScope({ scan, write, code }: CodedField, i: number): Readonly<Record<string, unknown>> {
  const scope = code?.scope ?? { scan$i: scan, write$i: write };
  return Object.fromEntries(Object.entries(scope).map(([name, value]) => [placed(name, i), value]));
}

function placed(code: string, i: number): string {
  const names: Readonly<Record<string, string>> = { $from: `at${i}`, $to: `to${i}`, $value: `value${i}`, $i: String(i) };
  return code.replaceAll(/\$(?:from|to|value|i)/g, (name) => names[name] as string);
}

const DIGIT = '(code = text.charCodeAt(at) - 48) >= 0 && code <= 9';
const MORE_DIGITS = `while (at < end && ${DIGIT}) { $value = $value * 10 + code; at++; }`;
const DIGITS = `$value = 0; ${MORE_DIGITS}`;
const NEXT_DIGIT = `if (at < end && ${DIGIT}) { $value = $value * 10 + code; at++; } `;
const POWERS = Array.from({ length: 16 }, (_, i) => 10 ** i);
/** More digits than these are not exact when they are added up. */
const WRITE_INTEGER = 'writer.number($column, $to - $from > 15 ? integerIn(text, $from, $to) : $value);';
const WRITE_PIECE = 'writer.slice($column, $from, $to);';

/** One or more digits. */
export const INTEGER_CODE: FieldCode = {
  scan: `${DIGITS} if (at === $from) at = -1;`,
  write: WRITE_INTEGER,
  scope: { integerIn },
};

/** One or more digits, or `-` for 0. */
export const BYTES_CODE: FieldCode = {
  scan: `${DIGITS} if (at === $from) at = at < end && text.charCodeAt(at) === 45 ? at + 1 : -1;`,
  write: WRITE_INTEGER,
  scope: { integerIn },
};

/** Three digits. */
export const STATUS_CODE: FieldCode = {
  scan: `$value = 0; ${NEXT_DIGIT.repeat(3)} at = at === $from + 3 ? at : -1;`,
  write: 'writer.number($column, $value);',
  scope: {},
};

const FURTHER_DIGIT = `at < end && ${DIGIT} && (octet$i = octet$i * 10 + code) <= 255`;
const OCTET = `if (at >= end || !(${DIGIT})) break ip$i; octet$i = code; at++; if (code > 0 && ${FURTHER_DIGIT}) { at++; if (${FURTHER_DIGIT}) at++; }`;
const DOT = 'if (at >= end || text.charCodeAt(at) !== 46) break ip$i; at++;';

/** Sets `$value` to the end of an IPv4 address, or to -1. */
const IPV4 = `$value = -1; let octet$i = 0; ip$i: { ${[OCTET, OCTET, OCTET, OCTET].join(` ${DOT} `)} $value = at; }`;

/** A client, whose form is the representation: mostly an IPv4 address, which has the first of the columns. */
export const clientCode = (write: unknown): FieldCode => ({
  scan: '$value = at = ipv4(text, at, end); if (at < 0) at = client(text, $from, end);',
  scanUnits: `${IPV4} if ($value < 0) at = client(text, $from, end);`,
  write: `if ($value < 0) writeHost(writer, $column, text, $from, $to); else ${WRITE_PIECE}`,
  scope: { client, ipv4, writeHost: write },
});

/** Text up to a quote. */
export const QUOTED_CODE: FieldCode = {
  scan: `at = text.indexOf('"', at); if (at < 0 || at >= end) at = end; else if (at > $from && text.charCodeAt(at - 1) === 92) at = upToQuote(text, $from, end);`,
  scanUnits: `while (at < end && text.charCodeAt(at) !== 34) at++; if (at < end && at > $from && text.charCodeAt(at - 1) === 92) at = upToQuote(text, $from, end);`,
  write: WRITE_PIECE,
  scope: { upToQuote },
};

const twoDigits = (name: string, from: number, most: number): string =>
  `(code = text.charCodeAt(at + ${from}) - 48) >= 0 && code <= 9 && (${name} = text.charCodeAt(at + ${from + 1}) - 48) >= 0 && ${name} <= 9 && (${name} += code * 10) <= ${most}`;
const unitIs = (from: number, code: number): string => `text.charCodeAt(at + ${from}) === ${code}`;
const sameUnits = (from: number, count: number, last: string): string =>
  Array.from({ length: count }, (_, i) => `text.charCodeAt(at + ${from + i}) === ${last}[${i}]`).join(' && ');

/** A date of the common log format, mostly of the day and the zone of the last one. */
export const clfDateCode = (date: ClfDate, scan: unknown): FieldCode => ({
  scan: 'at = scan$i(text, at, end);',
  scanUnits:
    `let hour$i = 0, minute$i = 0, second$i = 0; if (end - at >= 26 && ${sameUnits(0, 12, 'date$i.day')} && ${twoDigits('hour$i', 12, 23)} && ${unitIs(14, 58)} && ` +
    `${twoDigits('minute$i', 15, 59)} && ${unitIs(17, 58)} && ${twoDigits('second$i', 18, 60)} && ${sameUnits(20, 6, 'date$i.zone')}) ` +
    '{ date$i.setTime((hour$i * 60 + minute$i) * 60 + second$i); at += 26; } else at = scan$i(text, at, end);',
  write: 'writer.timestamp(nanoseconds(date$i));',
  scope: { date$i: date, scan$i: scan, nanoseconds },
});

/** More bytes than those of a date. */
const LONG_DATE = 128;

/** A date that the whole value is, by functions that remember what they have read. */
export const wholeDateCode = (scan: unknown, scanUnits: unknown, time: unknown): FieldCode => ({
  scan: 'at = scan$i(text, at, end);',
  scanUnits: `at = end - at > ${LONG_DATE} ? scan$i(text, at, end) : scanUnits$i(units, at, end);`,
  write: 'writer.timestamp(time$i());',
  scope: { scan$i: scan, scanUnits$i: scanUnits, time$i: time },
});

/** Text up to white space. */
export const WORD_CODE: FieldCode = {
  scan: 'while (at < end && (code = text.charCodeAt(at)) !== 32 && (code > 13 || code < 9)) at++;',
  write: WRITE_PIECE,
  scope: {},
};

/** The whole text, unless it is nothing or a lone `-`. */
export const VALUE_CODE: FieldCode = {
  scan: 'at = end - at > 1 || (end > at && text.charCodeAt(at) !== 45) ? end : -1;',
  write: WRITE_PIECE,
  scope: {},
};

/** A number with or without a point, perhaps behind a minus. */
export const quantityCode = (scan: unknown, write: unknown): FieldCode => ({
  scan: `${DIGITS} const point$i = at; if (at < end && code === -2) { at++; ${MORE_DIGITS} } const digits$i = at - point$i - 1; if (point$i === $from || digits$i === 0 || at - $from > 15) { at = $from + 1 === end && text.charCodeAt($from) === 45 ? -1 : scanQuantity(text, $from, end); $value = -1; }`,
  write:
    'if ($value < 0) writeQuantity(writer, $column, text, $from, $to); else writer.number($column, digits$i < 0 ? $value : $value / powers[digits$i]);',
  scope: { scanQuantity: scan, writeQuantity: write, powers: POWERS },
});

/** A port behind an address that ends at `$value`, of up to 15 digits; a lone `-` is no address. */
const PORT =
  `if ($value >= 0) { at = $value; if (at < end && text.charCodeAt(at) === 58) { at++; while (at < end && ${DIGIT}) { port$i = port$i * 10 + code; at++; } } } ` +
  'if ($value < 0 || at - $value < 2 || at - $value > 16 || (at < end && !isSpace(text.charCodeAt(at)))) ' +
  '{ $value = -1; at = $from + 1 === end && text.charCodeAt($from) === 45 ? -1 : scanEndpoint(text, $from, end); }';

/** An address with a port, mostly an IPv4 address, which has the first of the columns; behind those of the address comes that of the port. */
export const endpointCode = (scan: unknown, write: unknown, portColumn: number): FieldCode => ({
  scan: `let port$i = 0; $value = ipv4(text, at, end); ${PORT}`,
  scanUnits: `let port$i = 0; ${IPV4} ${PORT}`,
  write:
    'if ($value < 0) writeEndpoint(writer, $column, text, $from, $to); ' +
    `else { writer.slice($column, $from, $value); writer.number($column + ${portColumn}, port$i); }`,
  scope: { ipv4, isSpace, scanEndpoint: scan, writeEndpoint: write },
});
