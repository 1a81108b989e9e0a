/** A file that is no format of lnav. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** A value of a format: what it is of. */
interface LnavValue {
  readonly name: string;
  readonly kind: 'string' | 'integer' | 'float' | 'boolean' | 'json' | 'timestamp';
  readonly identifier: boolean;
  readonly hidden: boolean;
  /** The unit of numbers; empty when there is none. */
  readonly unit: string;
}

/** A part of the line that lnav shows for a record of JSON. */
type LinePart =
  | string
  | { readonly field: string; readonly otherwise: string; readonly prefix: string; readonly suffix: string; readonly transform: string };

export interface LnavFormat {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly json: boolean;
  readonly patterns: readonly string[];
  readonly multiline: boolean;
  readonly timeField: string;
  readonly timeFormats: readonly string[];
  /** Units of numbers that are times in a second; 0 when the format does not say. */
  readonly divisor: number;
  readonly levelField: string;
  /** Levels by name, with the pattern of the level's text. */
  readonly levels: readonly (readonly [level: string, pattern: string])[];
  readonly bodyField: string;
  readonly moduleField: string;
  readonly hideExtra: boolean;
  readonly line: readonly LinePart[];
  readonly values: readonly LnavValue[];
  readonly samples: readonly { readonly line: string; readonly level: string }[];
  /** Members of the format that no script can do, by their paths. */
  readonly unsupported: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Members that are read here, and those that only say how lnav shows a record or what it is. */
const READ = new Set(
  'title description url regex json file-type multiline timestamp-field timestamp-format timestamp-divisor level-field level body-field module-field hide-extra line-format value sample'.split(
    ' ',
  ),
);
const SHOWN = new Set(
  'highlights ordered-by-time max-unrecognized-lines file-pattern mime-types opid-field opid thread-id-field duration-field src-file-field src-line-field src-location-field start-timestamp-field action'.split(
    ' ',
  ),
);
const VALUE_READ = new Set('kind identifier foreign-key hidden unit description collate hide'.split(' '));
const LINE_READ = new Set('field default-value prefix suffix text-transform'.split(' '));
/** Changes of the text of a part that are known. */
const TRANSFORMS = new Set(['', 'none', 'uppercase', 'lowercase']);
const LINE_SHOWN = new Set('auto-width min-width max-width align overflow timestamp-format name'.split(' '));
const KINDS = new Map<string, LnavValue['kind']>(
  Object.entries({
    string: 'string',
    xml: 'string',
    quoted: 'string',
    any: 'string',
    integer: 'integer',
    float: 'float',
    boolean: 'boolean',
    json: 'json',
    struct: 'string',
    timestamp: 'timestamp',
  }),
);
/** A comment, or a text, in which slashes begin none. */
const COMMENT = /"(?:\\.|[^"\\])*"|\/\*[^]*?\*\/|\/\/[^\n]*/g;

/**
 * Reads the formats of a file of lnav.
 * @throws {FormatError} when it is none
 */
export function readFormats(text: string): LnavFormat[] {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, '').replace(COMMENT, (part) => (part.startsWith('"') ? part : ' ')));
  } catch (error) {
    throw new FormatError(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  const formats = Object.entries(objectOf(json)).filter(([name, format]) => !name.startsWith('$') && isObject(format));
  if (formats.length === 0) throw new FormatError('it has no format: an object with a member for each format is expected');
  return formats.map(([name, format]) => formatOf(name, objectOf(format)));
}

function formatOf(name: string, format: Json): LnavFormat {
  const unsupported: string[] = Object.keys(format).filter((key) => !READ.has(key) && !SHOWN.has(key));
  const fileType = textOf(format['file-type']);
  if (fileType !== '' && fileType !== 'json' && fileType !== 'text') unsupported.push(`file-type ${fileType}`);
  return {
    name,
    title: textOf(format['title']) || name,
    description: textOf(format['description']),
    url: [format['url']].flat().map(textOf).find(Boolean) ?? '',
    json: format['json'] === true || fileType === 'json',
    patterns: patternsOf(objectOf(format['regex']), unsupported),
    multiline: format['multiline'] !== false,
    timeField: textOf(format['timestamp-field']) || 'timestamp',
    timeFormats: listOf(format['timestamp-format']).map(textOf).filter(Boolean),
    divisor: typeof format['timestamp-divisor'] === 'number' ? format['timestamp-divisor'] : 0,
    levelField: textOf(format['level-field']) || 'level',
    levels: levelsOf(format['level']),
    bodyField: textOf(format['body-field']) || 'body',
    moduleField: textOf(format['module-field']),
    hideExtra: format['hide-extra'] === true,
    line: lineOf(listOf(format['line-format']), unsupported),
    values: valuesOf(objectOf(format['value']), unsupported),
    samples: listOf(format['sample']).map((sample) => ({
      line: textOf(objectOf(sample)['line']),
      level: textOf(objectOf(sample)['level']),
    })),
    unsupported,
  };
}

function patternsOf(regex: Json, unsupported: string[]): string[] {
  return Object.entries(regex).flatMap(([name, pattern]) => {
    const { pattern: source, 'module-format': isModule, comments: _comments, subformats: _subformats, ...others } = objectOf(pattern);
    if (isModule === true) unsupported.push(`regex.${name}.module-format`);
    unsupported.push(...Object.keys(others).map((key) => `regex.${name}.${key}`));
    return typeof source === 'string' && isModule !== true ? [source] : [];
  });
}

/** A level's pattern is a text or a number, or a list of these. */
function levelsOf(levels: unknown): [string, string][] {
  return Object.entries(objectOf(levels)).flatMap(([level, patterns]) =>
    listOf(patterns).map((pattern): [string, string] => [level, typeof pattern === 'number' ? `^${pattern}$` : textOf(pattern)]),
  );
}

function lineOf(parts: readonly unknown[], unsupported: string[]): LinePart[] {
  return parts.map((part) => {
    if (typeof part === 'string') return part;
    const { field, 'default-value': otherwise = '-', prefix, suffix, 'text-transform': transform, ...others } = objectOf(part);
    unsupported.push(
      ...Object.keys(others)
        .filter((key) => !LINE_READ.has(key) && !LINE_SHOWN.has(key))
        .map((key) => `line-format.${key}`),
    );
    if (!TRANSFORMS.has(textOf(transform))) unsupported.push(`line-format.text-transform ${textOf(transform)}`);
    return {
      field: textOf(field),
      otherwise: textOf(otherwise),
      prefix: textOf(prefix),
      suffix: textOf(suffix),
      transform: textOf(transform),
    };
  });
}

function valuesOf(values: Json, unsupported: string[]): LnavValue[] {
  return Object.entries(values).map(([name, value]) => {
    const { kind, identifier, hidden, unit, ...others } = objectOf(value);
    const { suffix, ...scaling } = objectOf(unit);
    const known = KINDS.get(textOf(kind));
    if (known === undefined) unsupported.push(`value.${name}.kind ${textOf(kind)}`);
    unsupported.push(
      ...Object.keys(others)
        .filter((key) => !VALUE_READ.has(key))
        .map((key) => `value.${name}.${key}`),
    );
    unsupported.push(...Object.keys(scaling).map((key) => `value.${name}.unit.${key}`));
    return { name, kind: known ?? 'string', identifier: identifier === true, hidden: hidden === true, unit: textOf(suffix).trim() };
  });
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** A text or a number as text; a list of texts is one with blanks between them. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
