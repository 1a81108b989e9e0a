/** Logs of servers and programs that have forms of their own. */
import { decoderSplit } from '../decoder-splits.ts';
import { cutRecords, MOST, NEARLY_ALL, recordsOf, sampleOf, share, type DecoderCandidate, type Form, type Head } from './types.ts';

const CLOCK = String.raw`\d\d:\d\d:\d\d`;
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const APACHE_LEVEL = '(?:emerg|alert|crit|error|warn|notice|info|debug|trace[1-8])';
const POSTGRES_LEVEL = '(?:PANIC|FATAL|ERROR|WARNING|NOTICE|INFO|LOG|DEBUG[1-5]?|DETAIL|HINT|QUERY|CONTEXT|STATEMENT|LOCATION)';

/** What lines, or records that are cut as the decoder wants them, look like. */
const LOOKS: readonly (readonly [name: string, look: RegExp])[] = [
  ['apache_error', new RegExp(String.raw`^\[[A-Z][a-z]{2} ${MONTH} [ \d]\d ${CLOCK}(?:\.\d+)? \d{4}\] \[(?:[\w-]*:)?${APACHE_LEVEL}\] `)],
  ['redis', new RegExp(String.raw`^(?:\d+:[A-Z]|\[\d+[^\]]*\]) \d\d ${MONTH}(?: \d{4})? ${CLOCK}(?:\.\d+)? [.*#-] `)],
  [
    'haproxy',
    new RegExp(String.raw`(?:^|: +)\S+:\d+ \[\d\d/${MONTH}/\d{4}:${CLOCK}\.\d{3}\] [^\s/]+(?: [^\s/]+/\S+ [-+\d/]+ |/[^\s:]+: )`),
  ],
  [
    'postgresql',
    new RegExp(String.raw`^(?:< ?)?\d{4}-\d\d-\d\d ${CLOCK}(?:\.\d+)? (?:[A-Z]{3,5}|[+-]\d\d)(?:[ :].{0,200}?[ :\]])${POSTGRES_LEVEL}:  `),
  ],
  ['glog', new RegExp(String.raw`^[IWEF](?:\d{4})?\d{4} ${CLOCK}\.\d{6} +\d+ [^\s:]+:\d+\] `)],
  ['php_error', new RegExp(String.raw`^\[\d\d-${MONTH}-\d{4} ${CLOCK}(?:\.\d+)?(?: [\w/+:-]+)?\] (?:PHP |[A-Z]+: |\S)`)],
  ['squid_access', /^\d{9,10}\.\d{3} +-?\d+ \S+ [A-Z_]+\/\d{3} \d+ [A-Z_-]+ \S+ \S+ [A-Z_]+\/\S+ \S+/],
  ['container_log', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(?:Z|[+-]\d\d:\d\d) (?:stdout|stderr) [FP](?:[: ]|$)/],
  ['container_log', /^\{(?=.*"log":")(?=.*"stream":"std(?:out|err)")(?=.*"time":"\d{4}-\d\d-\d\dT).*\}$/],
];

const MOST_RECORDS = 100;

/** A form for each of them. */
export const serverForms: readonly Form[] = LOOKS.map(([name, look]): Form => (head) => {
  const candidate = candidateOf(name, head);
  return share(candidate.records ?? head.lines, look) >= MOST ? [candidate] : [];
});

/** A decoder with its records, if they are not lines. The last one may be cut off. */
function candidateOf(name: string, { text }: Head, config: DecoderCandidate['config'] = {}): DecoderCandidate {
  const split = decoderSplit(name);
  return split.kind === 'regex' ? { name, config, split, records: recordsOf(text, split).slice(0, MOST_RECORDS) } : { name, config };
}

/** The format with the marks of requests and connections that Apache's documentation shows. */
const APACHE_MARKED = new RegExp(
  String.raw`^\[\d{4}-\d\d-\d\d ${CLOCK}\.\d{6}\] \[[\w-]+:${APACHE_LEVEL}\] (?:\[R:\S+\] )?(?:\[C:\S+\] )?`,
);

export function apacheMarkedForm({ lines }: Head): DecoderCandidate[] {
  const config = { log_format: '[%{uc}t] [%-m:%-l] [R:%L] [C:%{C}L] %7F: %E: %M' };
  return share(lines, APACHE_MARKED) >= MOST ? [{ name: 'apache_error', config }] : [];
}

const FIELDS = /^\ufeff?(?:#[^\n]*\n){0,20}?#Fields:[ \t]*(?<fields>[^\n]*)\n/;

/** The W3C's extended format, whose lines say themselves what is in them. */
export function w3cForm({ text, lines }: Head): DecoderCandidate[] {
  const fields = FIELDS.exec(text)?.groups?.['fields'];
  const records = lines.filter((line) => !line.startsWith('#'));
  return fields === undefined ? [] : [{ name: 'w3c_extended', config: { fields }, records }];
}

/** What journalctl -o export writes. */
export function journalForm(head: Head): DecoderCandidate[] {
  const isJournal = /^__REALTIME_TIMESTAMP=\d{15,17}$/m.test(head.text) && share(head.lines, /^[A-Z_][A-Z0-9_]*=/) >= MOST;
  return isJournal ? [candidateOf('journal_export', head)] : [];
}

const WORDS = 'TRACE|DEBUG|INFO|NOTICE|NOTE|WARN|WARNING|ERROR|SEVERE|CRIT|CRITICAL|FATAL|ALERT|EMERGENCY|PANIC|FINE|FINER|FINEST|CONFIG';
const DATE = String.raw`(?:\d{4}[-/.]\d\d[-/.]\d\d[T ]${CLOCK}|\d\d[ -]${MONTH}[ -]\d{4} ${CLOCK})(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?))?`;
/** A level in capitals, or in brackets, not far behind a date or right before it. */
const PROGRAM = new RegExp(
  [
    String.raw`^\[?${DATE}\]?(?:[^\n]{0,60}?[\s[.])?(?:(?:${WORDS})(?=[\s:\]])|\[(?:[A-Z][a-z]+|[A-Z]{3}|[a-z]{4,8}) *\])`,
    String.raw`^\[?${DATE}\]?(?: |:|\t| - )(?:(?:${WORDS.toLowerCase()}|${WORDS}):|[DIWEF]\d? +[A-Z]{3,} |\S+\[(?:${WORDS})\]: )`,
    String.raw`^(?:[A-Z], |\[?(?:${WORDS}) *\]?:?\s+(?:\[[^\]\n]{1,80}\] )?|\[\d+\] )\[?${DATE}[\]\s,]`,
  ].join('|'),
);

const DATED = new RegExp(String.raw`^\[?${DATE}\]?:? +\S`);

const ESCAPE = '\u001b';
const COLOURS = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

/** A record as the decoder looks at it, without the colours of a terminal. */
const withoutColours = (record: string): string => (record.includes(ESCAPE) ? record.replace(COLOURS, '') : record);

/** Logs of programs with levels, in the layouts of logging libraries, or lines that all begin with a date. */
export function programForm(head: Head): DecoderCandidate[] {
  const candidate = candidateOf('program_log', head);
  const known = share(candidate.records ?? [], (record) => PROGRAM.test(withoutColours(record))) >= NEARLY_ALL;
  return known || (head.lines.length > 1 && share(head.lines, DATED) >= NEARLY_ALL) ? [candidate] : [];
}

/** What PostgreSQL's csvlog has in each line; newer versions have all of it. */
const POSTGRES_COLUMNS =
  'log_time,user,database,process_id,connection_from,session_id,session_line,command_tag,session_start_time,virtual_transaction_id,transaction_id,error_severity,sql_state_code,message,detail,hint,internal_query,internal_query_pos,context,query,query_pos,location,application_name,backend_type,leader_pid,query_id'.split(
    ',',
  );
const POSTGRES_WIDTHS = [23, 24, 26];
const POSTGRES_CSV = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} [A-Z]{3,5},"?/;

/** PostgreSQL's csvlog, which has no header. */
export function postgresCsvForm({ text, lines }: Head): DecoderCandidate[] {
  if (!lines.some((line) => POSTGRES_CSV.test(line))) return [];
  const split = decoderSplit('csv');
  const records = sampleOf(cutRecords(text, split));
  if (share(records, POSTGRES_CSV) < MOST) return [];
  return POSTGRES_WIDTHS.map((width) => ({
    ...{ name: 'csv', split, records },
    config: {
      header: POSTGRES_COLUMNS.slice(0, width).join(),
      ...{ delimiter: ',', time_field: 'log_time', severity_field: 'error_severity', message_field: 'message', pid_field: 'process_id' },
    },
  }));
}
