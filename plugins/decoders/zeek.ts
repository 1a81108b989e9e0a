/**
 * Decodes logs of Zeek in its own form: lines of values below header lines, `#fields ts uid id.orig_h …` and `#types time string addr …`.
 *
 * Names and types come from the last header lines, or from the parameters fields and types. To continue a source after a restart without preserved
 * data, the decoder needs the parameters. Lines that begin with `#` are passed on undecoded; they also set the separators and the marks of empty
 * and unset values.
 *
 * | Type | Becomes |
 * |---|---|
 * | time, of the first value of this type | Timestamp |
 * | count, int, double, port, and further times | a number |
 * | interval | a number with the representation `s` |
 * | bool | true or false |
 * | addr, subnet | a text; addresses have the representation `ipv4` or `ipv6` |
 * | set, vector | a list of texts or numbers |
 * | any other | a text, in which each `\xHH` stands for the byte that it names, of UTF-8 |
 *
 * Unset values and empty sets set no field. For logs that Zeek writes as JSON use the decoder json_lines.
 */
import { AnyDate } from '../modules/any_date.ts';
import { boolConfig, stringConfig } from '../modules/config.ts';
import { hostForm } from '../lib/hosts.ts';
import { KEEP_LINE } from '../lib/parameters.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { TableWriter, type LogField, type LogMessage } from '../modules/table_writer.ts';
import { WallClock } from '../modules/time_zone.ts';
import { utf8Text } from '../base/utf8_text.ts';

export const meta: PluginMeta = {
  name: 'zeek',
  kind: 'decoder',
  comments: true,
  summary: 'Decodes logs of Zeek, with tabs or other separators.',
  recordSummary:
    '[{id.orig_h}[:{id.orig_p}] → {id.resp_h}[:{id.resp_p}]|{id.orig_h}[:{id.orig_p}]][ {proto}][ {service}] · [{method} {host}{uri}|{query|note|name}] · {status_code|rcode_name|conn_state} · {duration}',
  looks: [
    {
      text: /^(?:#[^\n]*\n){0,20}?#path\t(?<path>[^\n]*)\n(?:#[^\n]*\n){0,20}?#fields\t(?<fields>[^\n]*)\n(?:#types\t(?<types>[^\n]*)\n)?/,
      config: { fields: '{fields}', types: '{types}', type: 'zeek.{path}' },
    },
  ],
  parameters: {
    fields: { type: 'string', summary: 'Names of the values, with blanks between them; from the source when it is empty.', default: '' },
    types: { type: 'string', summary: 'Their types, with blanks between them; from the source when it is empty.', default: '' },
    type: { type: 'string', summary: "The messages' Type; zeek. and the path of the log when it is not set." },
    payload_keep: KEEP_LINE,
  },
  examples: [
    {
      title: 'a connection',
      config: {
        fields: 'ts uid id.orig_h id.orig_p proto service duration orig_bytes local_orig tunnel_parents',
        types: 'time string addr port enum string interval count bool set[string]',
        type: 'zeek.conn',
      },
      in: '1614949679.250001\tCHhAvVGS1\t192.0.2.1\t50122\ttcp\t-\t0.436150\t77\tT\tCa,Cb',
      out: {
        Timestamp: '1614949679250001000',
        Type: 'zeek.conn',
        Fields: {
          uid: 'CHhAvVGS1',
          'id.orig_h': { value: '192.0.2.1', representation: 'ipv4' },
          'id.orig_p': 50122,
          proto: 'tcp',
          duration: { value: 0.43615, representation: 's' },
          orig_bytes: 77,
          local_orig: true,
          tunnel_parents: ['Ca', 'Cb'],
        },
      },
    },
    {
      title: 'an escaped value, and empty ones',
      config: { fields: 'ts query tags note', types: 'time string set[string] string' },
      in: '1614949679.250000\ta\\x09b\t(empty)\t(empty)',
      out: { Timestamp: '1614949679250000000', Fields: { query: 'a\tb', note: '' } },
    },
    {
      title: 'too few values',
      config: { fields: 'ts uid', types: 'time string' },
      in: '1614949679.250000',
      fails: '1 values for 2 fields',
    },
    { title: 'values before their names', in: '1614949679.250000\tC1', fails: 'no line #fields before it' },
  ],
};

/** Values of the header lines, which begin with a `#`. */
interface ZeekHeader {
  separator: string;
  set_separator: string;
  empty_field: string;
  unset_field: string;
  path: string;
  fields: string;
  types: string;
}

declare global {
  /** A global, so that it is part of preserved data. */
  var _ZEEK: ZeekHeader;
}

const ESCAPES = /(?:\\x[\da-fA-F]{2})+/g;
const LIST = /^(?:set|vector|table)\[(?<of>.*)\]$/;
const NUMBERS = new Set(['count', 'int', 'double', 'port', 'time', 'interval']);

const given = { fields: stringConfig('fields'), types: stringConfig('types') };
globalThis._ZEEK = {
  separator: '\t',
  set_separator: ',',
  empty_field: '(empty)',
  unset_field: '-',
  path: '',
  fields: given.fields.trim().replace(/\s+/g, '\t'),
  types: given.types.trim().replace(/\s+/g, '\t'),
};
const noFields: ProcessStatus = [-1, 'no line #fields before it'];
const noTime: ProcessStatus = [-1, 'no time that can be read'];
const type = stringConfig('type', null);
const keepPayload = boolConfig('payload_keep');
const date = new AnyDate(() => 0, new WallClock('UTC'));
const writer = new TableWriter();

/** The header text from which `names` and `types` were made. */
let source = '';
let names: readonly string[] = [];
let types: readonly string[] = [];

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const line = text.slice(start, withoutLineEnd(text, start, end));
  if (line.startsWith('#')) {
    readHeader(line);
    return 0;
  }
  const { separator, fields } = globalThis._ZEEK;
  if (fields === '') return noFields;
  if (fields !== source) setNames();
  const values = line.split(separator);
  if (values.length !== names.length) return [-1, `${values.length} values for ${names.length} fields`];
  return inject(line, values);
}

/** `#separator \x09` has a blank behind its name, the others the separator. */
function readHeader(line: string): void {
  const header = globalThis._ZEEK;
  if (line.startsWith('#separator ')) {
    header.separator = unescape(line.slice('#separator '.length));
    return;
  }
  const at = line.indexOf(header.separator);
  const name = line.slice(1, at);
  if (at > 0 && Object.hasOwn(header, name)) header[name as keyof ZeekHeader] = line.slice(at + header.separator.length);
}

function setNames(): void {
  const header = globalThis._ZEEK;
  source = header.fields;
  // The parameters have tabs here, whatever the lines have.
  const cut = (list: string): string[] => list.split(list.includes(header.separator) ? header.separator : '\t');
  names = cut(header.fields);
  types = header.types === '' ? [] : cut(header.types);
}

function inject(line: string, values: readonly string[]): ProcessStatus {
  const { path, unset_field: unset } = globalThis._ZEEK;
  const fields: LogField[] = [];
  const message: LogMessage = { Fields: fields };
  for (const [i, value] of values.entries()) {
    const kind = types[i] ?? 'string';
    if (value === unset) continue;
    if (kind === 'time' && message.Timestamp === undefined) {
      const ns = date.parse(value);
      if (ns === null) return noTime;
      message.Timestamp = ns;
    } else {
      const field = fieldOf(names[i] as string, kind, value);
      if (field !== null) fields.push(field);
    }
  }
  const known = type ?? (path === '' ? null : `zeek.${path}`);
  if (known !== null) message.Type = known;
  if (keepPayload) message.Payload = line;
  return writer.inject(message);
}

function fieldOf(name: string, kind: string, value: string): LogField | null {
  const of = kind.endsWith(']') ? LIST.exec(kind)?.groups?.['of'] : undefined;
  if (of !== undefined) return listField(name, of, value);
  if (kind === 'bool') return { name, value: value === 'T' };
  if (NUMBERS.has(kind)) return numberField(name, kind, value);
  if (kind === 'addr') return { name, value, representation: hostForm(value, 0, value.length) };
  return { name, value: textOf(value) };
}

function numberField(name: string, kind: string, value: string): LogField {
  const number = Number(value);
  if (value === '' || Number.isNaN(number)) return { name, value };
  return kind === 'interval' ? { name, value: number, representation: 's' } : { name, value: number };
}

function listField(name: string, of: string, value: string): LogField | null {
  const { set_separator: separator, empty_field: empty, unset_field: unset } = globalThis._ZEEK;
  if (value === empty || value === '') return null;
  const values = value.split(separator).filter((item) => item !== unset);
  if (values.length === 0) return null;
  const numbers = NUMBERS.has(of) ? values.map(Number) : [];
  return { name, value: numbers.length > 0 && !numbers.some(Number.isNaN) ? numbers : values.map(textOf) };
}

function textOf(value: string): string {
  return value === globalThis._ZEEK.empty_field ? '' : value.includes('\\x') ? unescape(value) : value;
}

/** Escaped bytes are parts of UTF-8. */
function unescape(text: string): string {
  return text.replace(ESCAPES, (escapes) => utf8Text(Uint8Array.from(escapes.slice(2).split('\\x'), (code) => Number.parseInt(code, 16))));
}
