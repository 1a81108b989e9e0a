/** Records of named fields: JSON, pairs, and columns with a header. */
import { decoderSplit } from '../decoder-splits.ts';
import { cutRecords, MOST, NEARLY_ALL, sampleOf, share, type DecoderCandidate, type Head } from './types.ts';

const DATE = /^(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d{1,2}\/\d{1,2}\/\d{4},? \d{1,2}:\d\d(?::\d\d)? [AP]M$)/;
const TIMES = new Set(['time', 'timestamp', '@timestamp', 'ts', 'datetime', '__REALTIME_TIMESTAMP']);
const LOG_MEMBERS = new Set([...TIMES, 'level', 'severity', 'lvl', 'log', 'msg', 'message', 'MESSAGE']);

/** Programs whose records have names of their own, by members that all of them have. */
const LIBRARIES: readonly { readonly has: readonly string[]; readonly config: DecoderCandidate['config'] }[] = [
  // MongoDB.
  { has: ['t', 's', 'c', 'ctx', 'msg'], config: { time_field: 't.$date', severity_field: 's', logger_field: 'c' } },
  // Serilog's compact form.
  { has: ['@t', '@mt'], config: { time_field: '@t', severity_field: '@l', message_field: '@m, @mt' } },
  // AWS CloudTrail.
  { has: ['eventTime', 'eventSource', 'eventName'], config: { time_field: 'eventTime' } },
  // PostgreSQL's jsonlog.
  { has: ['timestamp', 'pid', 'error_severity'], config: { severity_field: 'error_severity' } },
];

type JsonObject = Readonly<Record<string, unknown>>;

/** JSON objects, one in each line; GELF is told by its members. */
export function jsonForm({ lines }: Head): DecoderCandidate[] {
  const objects = lines.map(parseObject).filter((object) => object !== null);
  if (objects.length < lines.length * MOST) return [];
  // One object alone may be any file.
  if (lines.length === 1 && !Object.keys(objects[0] ?? {}).some((name) => LOG_MEMBERS.has(name))) return [];
  const plain: DecoderCandidate = { name: 'json_lines', config: {} };
  const isGelf = ({ timestamp, short_message: text }: JsonObject): boolean => typeof timestamp === 'number' && typeof text === 'string';
  if (objects.every(isGelf)) return [{ name: 'graylog_extended', config: { type: 'gelf' } }, plain];
  const known = LIBRARIES.find(({ has }) => objects.every((object) => has.every((name) => Object.hasOwn(object, name))));
  if (known !== undefined) return [{ name: 'json_lines', config: known.config }, plain];
  const time = timeMember(objects);
  return time === null ? [plain] : [{ name: 'json_lines', config: { time_field: time } }, plain];
}

function parseObject(line: string): JsonObject | null {
  if (!line.trimStart().startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

/** The name of a member that is a date in all objects, unless the decoder knows the time by its name. */
function timeMember(objects: readonly JsonObject[]): string | null {
  const members = objects.map((object) => new Map(flat(object)));
  if (members.every((names) => [...names.keys()].some((name) => TIMES.has(name)))) return null;
  const dates = [...(members[0] ?? [])].filter(([, value]) => typeof value === 'string' && DATE.test(value));
  return dates.find(([name]) => members.every((names) => DATE.test(String(names.get(name)))))?.[0] ?? null;
}

/** The members, and those of objects in them with dotted names. */
function flat(object: JsonObject): [string, unknown][] {
  return Object.entries(object).flatMap(([name, value]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).map(([inner, part]): [string, unknown] => [`${name}.${inner}`, part])
      : [[name, value]],
  );
}

const PAIR_NAME = String.raw`[A-Za-z_@][\w.@/-]*`;
const PAIR_VALUE = String.raw`(?:"(?:[^"\\]|\\.)*"|[^\s"=][^\s"]*)?`;
const PAIRS = new RegExp(`^${PAIR_NAME}=${PAIR_VALUE}(?: +${PAIR_NAME}(?:=${PAIR_VALUE})?)* *$`);
const PAIR = new RegExp(`(?:^| )${PAIR_NAME}=`, 'g');
const LOGFMT = /(?:^| )(?:time|ts|timestamp|t|datetime|level|lvl|severity|msg|message)=/;
const FEWEST_PAIRS = 2;

/** Lines of names and values with an equals sign between them, and nothing else. */
export function pairsForm({ lines }: Head): DecoderCandidate[] {
  const isPairs = (line: string): boolean => PAIRS.test(line) && !isMostlyWords(line);
  if (share(lines, isPairs) < NEARLY_ALL) return [];
  if (share(lines, LOGFMT) >= MOST) return [{ name: 'logfmt', config: {} }];
  // Without a member of a log, settings and command lines look alike: the lines must have the same names, and several of them.
  const [first = ''] = lines;
  const names = namesOf(first);
  const alike = lines.length > 1 && share(lines, (line) => namesOf(line).slice(0, 3).join() === names.slice(0, 3).join()) >= NEARLY_ALL;
  return alike && names.length >= 3 ? [{ name: 'key_value', config: {} }] : [];
}

const namesOf = (line: string): string[] => (line.match(PAIR) ?? []).map((pair) => pair.trim().slice(0, -1));

/** Names without values are rare among pairs. */
function isMostlyWords(line: string): boolean {
  const pairs = line.match(PAIR)?.length ?? 0;
  return (
    pairs < FEWEST_PAIRS ||
    pairs * 2 <
      line
        .replace(/"(?:[^"\\]|\\.)*"/g, '')
        .trim()
        .split(/ +/).length
  );
}

const DELIMITERS: readonly (readonly [character: string, name: string])[] = [
  ['\t', 'tab'],
  [',', ','],
  [';', ';'],
  ['|', '|'],
];
const COLUMN_NAME = /^[A-Za-z_@#][\w .:@/()%-]{0,63}$/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TIME_COLUMNS = /^(?:time|timestamp|datetime)$/;
/** Lines that a header must have behind it. */
const FEWEST_RECORDS = 2;

/** Columns with a header: each record has as many values as the header has names, and some column holds only numbers or dates. */
export function columnsForm({ text }: Head): DecoderCandidate[] {
  const [first = '', second = ''] = text.split('\n', 2);
  // PowerShell says the type of the objects first.
  const before = first.startsWith('#TYPE ') ? 2 : 1;
  const header = (before === 1 ? first : second).replace(/^\ufeff|\r$/g, '');
  for (const [delimiter, name] of DELIMITERS) {
    const names = valuesOf(header, delimiter);
    if (names === null || names.length < 2 || new Set(names).size < names.length) continue;
    if (!names.every((column) => COLUMN_NAME.test(column.trim()))) continue;
    const split = decoderSplit('csv', { delimiter });
    const records = sampleOf(cutRecords(text, split).slice(before));
    const rows = records.map((record) => valuesOf(record, delimiter));
    const fitting = rows.filter((row) => row?.length === names.length) as string[][];
    if (rows.length < FEWEST_RECORDS || fitting.length < rows.length * NEARLY_ALL) continue;
    const kind = (form: RegExp) => (_: string, at: number) => {
      const values = fitting.map((row) => row[at] as string).filter((value) => value !== '');
      return values.length > 0 && values.every((value) => form.test(value));
    };
    const dates = names.filter(kind(DATE));
    if (dates.length === 0 && !names.some(kind(NUMBER))) continue;
    const candidates = columnCandidates(
      header,
      name,
      dates.map((column) => column.trim()),
    );
    // The header goes on as it is: it shows nothing of the decoder.
    return candidates.map((candidate) => ({ ...candidate, split, records }));
  }
  return [];
}

function columnCandidates(header: string, delimiter: string, dates: readonly string[]): DecoderCandidate[] {
  const plain: DecoderCandidate = { name: 'csv', config: { header, delimiter, number_fields: '*' } };
  const [time] = dates;
  if (time === undefined || dates.some((name) => TIME_COLUMNS.test(name)) || time.includes(',')) return [plain];
  return [{ name: 'csv', config: { ...plain.config, time_field: time } }, plain];
}

/** The values of a record; null when a quote in it does not end. */
function valuesOf(line: string, delimiter: string): string[] | null {
  if (!line.includes('"')) return line.split(delimiter);
  const values: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const end = /"(?:[^"]|"")*"/y;
      end.lastIndex = at;
      const found = end.exec(line)?.[0];
      if (found === undefined) return null;
      values.push(found.slice(1, -1).replaceAll('""', '"'));
      at += found.length;
    } else {
      const to = line.indexOf(delimiter, at);
      values.push(line.slice(at, to < 0 ? line.length : to));
      at = to < 0 ? line.length : to;
    }
    if (at >= line.length) return values;
    if (line[at] !== delimiter) return null;
    at++;
  }
}
