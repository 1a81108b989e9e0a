/**
 * Decodes comma-separated values (RFC 4180), and values with tabs, semicolons or other delimiters between them. Each column becomes a field of its name.
 *
 * The names come from the parameter header or from the first record. Records that equal the header, the line `#TYPE …` that PowerShell writes
 * before it, the line `sep=;` of spreadsheets, and other lines that begin with `#` and have another number of values, are passed on undecoded. To continue a source after a restart, the decoder needs the parameter or preserved data. An empty value sets
 * no field. A record with more or fewer values than there are names is refused.
 *
 * Values may stand in double quotes, with delimiters and line ends in them: files are cut into records accordingly. When a quote does not end
 * within 64 KiB, or is followed by anything but a delimiter, its line alone is a record.
 *
 * The columns that number_fields names become numbers. Some columns become headers of the message. The parameters name these columns; of several
 * names, separated by commas, the first one in the header is used. Times and severities are read as json_lines reads them. A value that does not
 * fit its header stays a field. When time_field is set, a record whose time cannot be read is refused. `Date + Time` in time_field stands for the
 * columns Date and Time, which are read together.
 */
import { ColumnOptions, ColumnRecord } from '../lib/column_record.ts';
import { stringConfig } from '../modules/config.ts';
import { CsvRecord } from '../lib/csv_record.ts';
import { NAMED_FIELDS } from '../lib/parameters.ts';
import { withoutLineEnd } from '../base/scan.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const FLOW = { delimiter: ' ', time_field: 'start', number_fields: '*, bytes:B', type: 'vpc.flow' };
const POSTGRES = {
  delimiter: ',',
  time_field: 'log_time',
  severity_field: 'error_severity',
  message_field: 'message',
  pid_field: 'process_id',
};
const POSTGRES_12 =
  'log_time,user,database,process_id,connection_from,session_id,session_line,command_tag,session_start_time,virtual_transaction_id,transaction_id,error_severity,sql_state_code,message,detail,hint,internal_query,internal_query_pos,context,query,query_pos,location,application_name';
const GREENPLUM =
  'event_time,user_name,database_name,process_id,thread_id,remote_host,remote_port,session_start_time,transaction_id,gp_session_id,gp_command_count,gp_segment,slice_id,distr_tranx_id,local_tranx_id,sub_tranx_id,event_severity,sql_state_code,event_message,event_detail,event_hint,internal_query,internal_query_pos,event_context,debug_query_string,error_cursor_pos,func_name,file_name,file_line,stack_trace';
const TIMES = 'time, timestamp, datetime';

export const meta: PluginMeta = {
  name: 'csv',
  kind: 'decoder',
  comments: true,
  summary: 'Decodes comma-separated values and their relatives, such as tab-separated ones.',
  split: { csv: 'delimiter' },
  recordSummary: PROGRAM_SUMMARY,
  looks: [
    {
      // Flow logs of Amazon's private clouds, under their names or, from a stream, without.
      text: [/^(?<header>[a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)+)\n/, /^[^\n]*\bsrcaddr\b/, /^(?:[^\n]* )?start[ \n]/],
      config: { ...FLOW, header: '{header}' },
    },
    {
      lines:
        /^\d \S+ \S+ (?:[\d.]+|[\da-f:]+|-) (?:[\d.]+|[\da-f:]+|-) (?:(?:\d+|-) ){5}\d{9,10} \d{9,10} (?:ACCEPT|REJECT|-) (?:OK|NODATA|SKIPDATA)$/,
      least: 0.95,
      config: {
        ...FLOW,
        header: 'version account-id interface-id srcaddr dstaddr srcport dstport protocol packets bytes start end action log-status',
      },
    },
    {
      // PostgreSQL's csvlog, which has no header; newer versions have all of it.
      text: /^(?:[^\n]*\n){0,5}?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [A-Z]{3,5},"?/,
      records: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [A-Z]{3,5},"?/,
      config: [
        { ...POSTGRES, header: POSTGRES_12 },
        { ...POSTGRES, header: `${POSTGRES_12},backend_type` },
        { ...POSTGRES, header: `${POSTGRES_12},backend_type,leader_pid,query_id` },
      ],
    },
    {
      // Greenplum, which has columns of its own.
      text: /^(?:[^\n]*\n){0,5}?\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} [A-Z]{3,5},[^,\n]*,[^,\n]*,p\d+,th-?\d+,/,
      config: {
        header: GREENPLUM,
        time_field: 'event_time',
        severity_field: 'event_severity',
        message_field: 'event_message',
        number_fields: 'transaction_id, internal_query_pos, error_cursor_pos, file_line, remote_port',
      },
    },
    {
      // Exchange, whose lines that begin with # are those of the W3C's extended format.
      text: /^(?:#[^\n]*\n){1,20}?#Fields: ?(?<header>[^\s,]+(?:,[^\s,]+)+)\n/,
      config: { header: '{header}', time_field: 'date-time, DateTime, dateTime, Timestamp, timestamp', number_fields: '*' },
    },
    { form: 'columns', config: { number_fields: '*' }, rank: 5 },
  ],
  parameters: {
    header: {
      type: 'string',
      summary: 'Names of the columns, with the delimiter between them; the first record when it is empty.',
      default: '',
    },
    delimiter: { type: 'string', summary: 'The character between two values, or tab.', default: ',' },
    number_fields: {
      type: 'string',
      summary:
        'Which columns are numbers, with commas between the names, and their units: status, bytes:B. * stands for all plain numbers; 007 and 1.10 stay texts.',
      default: '',
    },
    time_field: {
      type: 'string',
      summary: `Columns that are the time: ${TIMES} when it is not set; Date + Time for two that are read together. When it is set, a time that cannot be read is refused.`,
    },
    severity_field: { type: 'string', summary: 'Columns that are the severity.', default: 'level, severity' },
    message_field: { type: 'string', summary: 'Columns that are the Payload.', default: 'message' },
    hostname_field: { type: 'string', summary: 'Columns that are the Hostname.', default: 'hostname' },
    pid_field: { type: 'string', summary: 'Columns that are the Pid.', default: 'pid' },
    ...NAMED_FIELDS,
  },
  examples: [
    {
      title: 'values in quotes, and numbers with their units',
      config: { header: 'time,path,status,size,note', number_fields: 'status, size:B' },
      in: '2021-03-05T13:07:59.250Z,/a,200,5120,"say ""hi"", please"\r\n',
      out: {
        Timestamp: '1614949679250000000',
        Fields: { path: '/a', status: 200, size: { value: 5120, representation: 'B' }, note: 'say "hi", please' },
      },
    },
    {
      title: 'tabs, the header given, and dates in a form of their own',
      config: { header: 'date\tlevel\tmessage\tuser', delimiter: 'tab', time_field: 'date', time_format: '%d.%m.%Y %H:%M:%S', type: 'app' },
      in: '05.03.2021 13:07:59\terror\tdisk full\t',
      out: { Timestamp: '1614949679000000000', Type: 'app', Severity: 3, Payload: 'disk full', Fields: {} },
    },
    {
      title: 'the date and the time of day in two columns',
      config: { header: 'Date,Time,Host', time_field: 'Date + Time', time_format: '%m/%d/%y %H:%M:%S' },
      in: '03/05/21,13:07:59,box1',
      out: { Timestamp: '1614949679000000000', Fields: { Host: 'box1' } },
    },
    { title: 'too few values', config: { header: 'a,b,c' }, in: '1,2', fails: '2 values for 3 columns' },
    { title: 'a record that was cut off', config: { header: 'a,b' }, in: '1,"two', fails: 'a quote that does not end' },
  ],
};

declare global {
  /** The header that the first record was, when none is given: a global, so that it is part of preserved data. */
  var _CSV_HEADER: string;
}

/** More take more memory than a decoder has. */
const MOST_COLUMNS = 2000;
const BYTE_ORDER_MARK = 0xfeff;
const [BLANK, HASH] = [32, 35];
/** The line that PowerShell's Export-Csv writes before the header. */
const TYPE_LINE = '#TYPE ';
/** The line of Exchange's logs that is their header. */
const FIELDS_LINE = '#Fields: ';
/** The line by which spreadsheets know the delimiter. */
const SEPARATOR_LINE = /^sep=.$/i;
const SEPARATOR_LENGTH = 5;
const DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', '\\t': '\t' };

globalThis._CSV_HEADER = '';
const given = stringConfig('header');
const delimiter = stringConfig('delimiter');
const record = new CsvRecord(DELIMITERS[delimiter] ?? delimiter);
const options = new ColumnOptions({ time: TIMES });
/** The header from which `columns` were made. */
let header = '';
let columns: ColumnRecord | null = null;
let width = 0;
setHeader(given);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const at = start < end && text.charCodeAt(start) === BYTE_ORDER_MARK ? start + 1 : start;
  const to = withoutLineEnd(text, at, end);
  if (given === '' && header !== globalThis._CSV_HEADER) setHeader(globalThis._CSV_HEADER);
  if (to - at === SEPARATOR_LENGTH && SEPARATOR_LINE.test(text.slice(at, to))) return 0;
  if (columns === null) return text.startsWith(TYPE_LINE, at) ? 0 : readHeader(text.slice(at, to));
  if (to - at === header.length && text.startsWith(header, at)) return 0;

  const isComment = text.charCodeAt(at) === HASH;
  if (isComment && text.startsWith(FIELDS_LINE, at)) return 0;
  if (!record.read(text, at, to)) return [-1, record.error];
  if (record.count !== width) return isComment ? 0 : [-1, `${record.count} values for ${width} columns`];
  for (let i = 0; i < width; i++) {
    const from = record.from(i);
    if (from === record.to(i)) continue;
    const refused = columns.set(i, text, from, record.to(i), record.unquoted(text, i));
    if (refused !== null) {
      columns.discard();
      return [-1, refused];
    }
  }
  return columns.inject(at, to);
}

/** Takes the first record as the header. */
function readHeader(text: string): ProcessStatus {
  if (text === '' || !record.read(text, 0, text.length)) return [-1, `no header: ${text === '' ? 'an empty record' : record.error}`];
  if (record.count > MOST_COLUMNS) return [-1, tooMany(record.count)];
  globalThis._CSV_HEADER = text;
  setHeader(text);
  return 0;
}

function setHeader(text: string): void {
  header = text;
  columns = null;
  if (text === '') return;
  // Values lose the blanks around their delimiters when all names of the header have them.
  record.isSpaced = isSpaced(text);
  if (!record.read(text, 0, text.length)) throw new TypeError(`header: ${record.error}`);
  if (record.count > MOST_COLUMNS) throw new TypeError(`header: ${tooMany(record.count)}`);
  const names = Array.from({ length: record.count }, (_, i) => record.value(text, i).replace(/\s+/g, ' ').trim() || `column_${i + 1}`);
  columns = new ColumnRecord(names, options);
  width = names.length;
}

function isSpaced(text: string): boolean {
  record.isSpaced = false;
  if (!record.read(text, 0, text.length) || record.count < 2) return false;
  return Array.from({ length: record.count - 1 }, (_, i) => record.from(i + 1)).every((from) => text.charCodeAt(from) === BLANK);
}

function tooMany(columns: number): string {
  return `${columns} columns, of which a record may have ${MOST_COLUMNS} at most: take out those that are not needed`;
}
