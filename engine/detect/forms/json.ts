/** Recognition of lines of JSON objects. */
import type { Head } from './head.ts';
import { DATE } from './date.ts';
import { MOST, type FormMatch } from './types.ts';

/** Members that the decoder takes as the time. */
const TIMES = new Set(['time', 'timestamp', '@timestamp', 'ts', 'datetime', '__REALTIME_TIMESTAMP']);
const LOG_MEMBERS = new Set([...TIMES, 'level', 'severity', 'lvl', 'log', 'msg', 'message', 'MESSAGE']);

type JsonObject = Readonly<Record<string, unknown>>;

/** Recognises lines of JSON objects, and finds the member that is their time. */
export function jsonLines({ lines }: Head): FormMatch[] {
  const objects = lines.map(parseObject).filter((object) => object !== null);
  if (objects.length === 0 || objects.length < lines.length * MOST) return [];
  // A single object may be any JSON file.
  if (lines.length === 1 && !Object.keys(objects[0] ?? {}).some((name) => LOG_MEMBERS.has(name))) return [];
  const time = timeMember(objects);
  return time === null ? [PLAIN] : [{ config: { time_field: time } }, PLAIN];
}

const PLAIN: FormMatch = { config: {} };

function parseObject(line: string): JsonObject | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** Name of a member that is a date in all objects; null when the decoder knows the time by its name, or there is none. */
function timeMember(objects: readonly JsonObject[]): string | null {
  const members = objects.map((object) => new Map(flat(object)));
  if (members.every((names) => [...names.keys()].some((name) => TIMES.has(name)))) return null;
  const dates = [...(members[0] ?? [])].filter(([, value]) => typeof value === 'string' && DATE.test(value));
  return dates.find(([name]) => members.every((names) => DATE.test(String(names.get(name)))))?.[0] ?? null;
}

/** Members of an object, with those of inner objects under dotted names. */
function flat(object: JsonObject): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, part]): [string, unknown] => [`${name}.${inner}`, part])
      : [[name, value]],
  );
}
