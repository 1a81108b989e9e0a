/** Recognition of JSON objects. */
import { withoutColours, type Head } from './head.ts';
import { isDate } from './date.ts';
import { severityScale } from './severity-scale.ts';
import { MOST, type FormMatch } from './types.ts';

/** Members that the decoder takes as the time. */
const TIMES = new Set(['time', 'timestamp', '@timestamp', 'ts', 'datetime', '__REALTIME_TIMESTAMP', 'instant']);
/** Objects that stand for a time, log4j's and Google's, with their names in alphabetical order. */
const INSTANT = /^(?:epochSecond,nanoOfSecond|nanos,seconds)$/;
/** Names of members whose numbers may be times since 1970. */
const TIME_NAME =
  /time|date|stamp|epoch|created|(?:^|[._])(?:ts|at|when|on|start|end|since)$|(?:^|\.)t$|[a-z]At$|(?:start|finish|end|complet|receiv|request|publish|modifi|record|logg?|sen[dt]|open|clos)(?:ed)?$/i;
/** A number of seconds, milliseconds, microseconds or nanoseconds between 2001 and 2065. */
const EPOCH = /^[12]\d{9}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?$/;
const LOG_MEMBERS = new Set([...TIMES, 'level', 'severity', 'lvl', 'log', 'msg', 'message', 'MESSAGE', '@message', '@fields']);

const LONG_LINE = 1 << 15;
const LINE_OF_OBJECTS = /^\s*\[?\s*\{"[^\n]{1,65536}?\}[\s,]{0,9}\{"/;
const EVENT_RECORDS = { kind: 'regex', pattern: String.raw`\r?\n(?:\r?\n)+` } as const;

type JsonObject = Readonly<Record<string, unknown>>;

/** The beginning of objects over several lines, as jq and `journalctl -o json-pretty` write them, or of a list of such, and of exports of services. */
const PRETTY = /^\s*(?:\[\s*)?\{(?:[ \t]*\r?\n\s*"|\s*"(?:records|Records|logs|events|entries|value)"\s*:\s*\[\s*\{)/;
/** The beginning of events that a server sends, with an empty line behind the first one. */
const EVENTS = /^(?:(?:event|id|retry):[^\n]*\n|:[^\n]*\n+)*data: ?\{[^\n]*\n(?:(?:event|id|retry|data):[^\n]*\n)*\r?\n/;
/** Names of an event in front of its data. */
const EVENT = /^(?:(?:event|id|retry):[^\n]*\n|:[^\n]*\n)*data: ?(?=\{)/;

/** Recognises JSON objects, one in each line or over several lines, and finds the member that is their time. */
export function jsonLines(head: Head): FormMatch[] {
  const isPretty = PRETTY.test(head.text) || isOneLine(head.text);
  const isEvents = !isPretty && EVENTS.test(head.text);
  const records = isPretty ? head.cut({ kind: 'json' }) : isEvents ? head.cut(EVENT_RECORDS) : head.lines;
  const objects = records.map(parseObject).filter((object) => object !== null);
  if (objects.length === 0 || objects.length < records.length * MOST) return [];
  // A single object may be any JSON file.
  if (records.length === 1 && !Object.keys(objects[0] ?? {}).some((name) => LOG_MEMBERS.has(name))) return [];
  const time = timeMember(objects);
  const scale = severityScale(objects);
  const plain: FormMatch =
    isPretty || isEvents ? { config: { records: isPretty ? 'objects' : 'events', ...scale }, records } : { config: scale };
  return time === null ? [plain] : [{ ...plain, config: { ...plain.config, time_field: time } }, plain];
}

/** Whether a text is a long line of several objects, which may have more of them than a record can. */
function isOneLine(text: string): boolean {
  return text.length >= LONG_LINE && !text.slice(0, LONG_LINE).includes('\n') && LINE_OF_OBJECTS.test(text);
}

/** The object that a text is, also one of a list. */
function parseObject(text: string): JsonObject | null {
  if (!text.includes('{')) return null;
  const object = wholeObject(
    withoutList((text.startsWith(SEPARATOR) ? text.slice(1) : plainText(text)).trim().replace(EVENT, '').replace(FRAME, '')),
  );
  if (!object.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(object);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** The text of an object that was written in colours, without these. */
const plainText = (text: string): string => (text.startsWith(ESCAPE) ? withoutColours(text) : text);
const ESCAPE = '\u001b';

/** Begins each record of a text sequence (RFC 7464). */
const SEPARATOR = '\x1e';
/** The name that kubectl, stern or compose wrote in front of it. */
const FRAME = /^(?:\[[^\][{"]{1,120}\] *|[^|{"\n]{1,80}\| *|(?:[\w.+-]{1,80} ){1,3})(?=\{)/;
/** The end of an object, and the beginning of the next one in the same line. */
const NEXT = /\}[\s,]*\{"/g;

/** Longer texts may be objects that an input cut off. */
const CUT_LENGTH = 1 << 18;
const MOST_TRIES = 20;

/** The first of the objects in a line, or what there is of one that was cut off. */
function wholeObject(text: string): string {
  if (text.length < CUT_LENGTH || text.endsWith('}')) return firstObject(text);
  let end = text.length;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    end = text.lastIndexOf(',', end - 1);
    if (end <= 0) return text;
    if (isObjectText(`${text.slice(0, end)}}`)) return `${text.slice(0, end)}}`;
  }
  return text;
}

/** The first of the objects in a line. */
function firstObject(text: string): string {
  for (const { index } of text.matchAll(NEXT)) if (isObjectText(text.slice(0, index + 1))) return text.slice(0, index + 1);
  return text;
}

function isObjectText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Takes off what a list has around its objects: a bracket, or a comma. */
function withoutList(text: string): string {
  let object = text.trim();
  if (object.startsWith('[')) object = object.slice(1).trimStart();
  if (object.endsWith(']')) object = object.slice(0, -1).trimEnd();
  return object.endsWith(',') ? object.slice(0, -1).trimEnd() : object;
}

/** Name of a member that is a time in all objects, a date rather than a number; null when the decoder knows the time by its name, or there is none. */
function timeMember(objects: readonly JsonObject[]): string | null {
  if (objects.every(hasKnownTime)) return null;
  const members = objects.map((object) => new Map(flat(object)));
  const inAll = (isTime: (name: string, value: unknown) => boolean): string | undefined =>
    [...(members[0] ?? [])].map(([name]) => name).find((name) => members.every((values) => isTime(name, values.get(name))));
  return inAll((_, value) => typeof value === 'string' && isDate(value)) ?? inAll(isEpoch) ?? null;
}

const isEpoch = (name: string, value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'string') && TIME_NAME.test(name) && EPOCH.test(String(value));

const hasKnownTime = (object: JsonObject): boolean =>
  Object.entries(object).some(
    ([name, value]) =>
      TIMES.has(name) && (typeof value !== 'object' || value === null || INSTANT.test(Object.keys(value).sort().join(','))),
  );

/** Members of an object, with those of inner objects under dotted names. */
function flat(object: JsonObject): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, part]): [string, unknown] => [`${name}.${inner}`, part])
      : [[name, value]],
  );
}
