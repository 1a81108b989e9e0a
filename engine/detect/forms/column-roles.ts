/** Columns that are the time, the level or the words of a record, by their names and values. */
import { DATE } from './date.ts';
import { oneColumn } from './day-and-clock.ts';

/** Names that the decoder knows, and those that other exports have, in any case. */
interface Role {
  readonly parameter: string;
  readonly known: RegExp;
  readonly names: RegExp;
  readonly values?: RegExp;
}

const ROLES: readonly Role[] = [
  {
    parameter: 'severity_field',
    known: /^(?:level|severity)$/,
    names:
      /^(?:level|severity|lvl|log[ _]?level|level[ _]?(?:name|display[ _]?name)|entry[ _]?type|stufe|schweregrad|niveau|nivel|livello)$/i,
    values: /^\p{L}{1,16}$/u,
  },
  { parameter: 'message_field', known: /^message$/, names: /^(?:message|msg|text|log|meldung|nachricht|mensaje|messaggio)$/i },
  { parameter: 'hostname_field', known: /^hostname$/, names: /^(?:host[ _]?name|computer(?:[ _]?name)?|machine(?:[ _]?name)?)$/i },
  { parameter: 'pid_field', known: /^pid$/, names: /^(?:pid|process[ _]?id)$/i, values: /^\d{1,10}$/ },
];
const TIME_COLUMNS = /^(?:time|timestamp|datetime)$/;
const TIME_NAMES = /^(?:@?timestamp|ts|time|datetime|date|datum|epoch|unix[ _]?time)$/i;
const EPOCH = /^[12]\d{9}(?:\.\d{1,9}|\d{3}|\d{6}|\d{9})?$/;

type Values = (at: number) => readonly string[];

/** The parameters that name columns for headers of messages; none for those that the decoder finds by itself. */
export function columnRoles(names: readonly string[], values: Values): Record<string, string> {
  const found: Record<string, string> = {};
  for (const role of ROLES) {
    if (names.some((name) => role.known.test(name))) continue;
    const column = names.find((name, at) => role.names.test(name) && fits(values(at), role.values));
    if (column !== undefined) found[role.parameter] = column;
  }
  return found;
}

/** The parameters by which the decoder reads the time of one column; null when it knows it by its name, or there is none. */
export function timeColumn(names: readonly string[], values: Values): Record<string, string> | null {
  const dates = names.filter((_, at) => fits(values(at), DATE));
  const epochs = names.filter((name, at) => TIME_NAMES.test(name) && fits(values(at), EPOCH));
  if ([...dates, ...epochs].some((name) => TIME_COLUMNS.test(name))) return null;
  const [time] = [...dates, ...epochs];
  if (time !== undefined) return time.includes(',') ? null : { time_field: time };
  for (const [at, name] of names.entries()) {
    const format = name.includes(',') ? undefined : oneColumn(values(at));
    if (format !== undefined) return { time_field: name, time_format: format };
  }
  return null;
}

function fits(values: readonly string[], form: RegExp | undefined): boolean {
  const filled = values.filter((value) => value !== '');
  return filled.length > 0 && (form === undefined || filled.every((value) => form.test(value)));
}
