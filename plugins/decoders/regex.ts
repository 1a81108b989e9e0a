/**
 * Decodes records by a regular expression: each named group `(?<name>…)` becomes a field of its name. Groups that did not take part in the match
 * set no field. The expression has JavaScript syntax; `(?P<name>…)` is accepted too. It may match anywhere in the record: use `^` and `$` to match
 * all of it.
 *
 * The groups that number_fields names become numbers. Some groups become headers of the message. The parameters name these groups; of several
 * names, separated by commas, the first one that the expression has is used. Times and severities are read as json_lines reads them. A value that
 * does not fit its header stays a field. When time_field is set, a record whose time cannot be read is refused.
 *
 * An expression that backtracks too often on a record continues in V8's linear-time engine. This engine does not support the flags i and u,
 * backreferences and lookaround: with them, a record that takes too long ends the decoder.
 */
import { ColumnOptions, ColumnRecord } from '../lib/column_record.ts';
import { stringConfig } from '../modules/config.ts';
import { NAMED_FIELDS } from '../lib/parameters.ts';
import { PROGRAM_SUMMARY } from '../lib/summaries.ts';

const TIMES = 'time, timestamp';

export const meta: PluginMeta = {
  name: 'regex',
  kind: 'decoder',
  stateless: true,
  summary: 'Decodes records by the named groups of a regular expression.',
  recordSummary: PROGRAM_SUMMARY,
  parameters: {
    pattern: { type: 'string', summary: 'The regular expression, with named groups.', required: true },
    flags: { type: 'string', summary: 'Its flags: i (any case), m (^ and $ at line ends), s (. takes line ends), u.', default: '' },
    number_fields: {
      type: 'string',
      summary:
        'Which groups are numbers, with commas between the names, and their units: status, bytes:B. * stands for all plain numbers; 007 and 1.10 stay texts.',
      default: '',
    },
    time_field: {
      type: 'string',
      summary: `Groups that are the time: ${TIMES} when it is not set. When it is, a time that cannot be read is refused.`,
    },
    severity_field: { type: 'string', summary: 'Groups that are the severity.', default: 'severity, level' },
    message_field: { type: 'string', summary: 'Groups that are the Payload.', default: 'message' },
    hostname_field: { type: 'string', summary: 'Groups that are the Hostname.', default: 'hostname' },
    pid_field: { type: 'string', summary: 'Groups that are the Pid.', default: 'pid' },
    ...NAMED_FIELDS,
  },
  examples: [
    {
      title: 'a log of a Java program',
      config: { pattern: '^(?<time>\\S+ \\S+) (?<level>[A-Z]+) +\\[(?<thread>[^\\]]*)\\] (?<class>\\S+) - (?<message>.*)', flags: 's' },
      in: '2021-03-05 13:07:59,250 WARN  [main] org.example.Shop - slow\n\tat org.example.Shop.sell(Shop.java:7)',
      out: {
        Timestamp: '1614949679250000000',
        Severity: 4,
        Payload: 'slow\n\tat org.example.Shop.sell(Shop.java:7)',
        Fields: { thread: 'main', class: 'org.example.Shop' },
      },
    },
    {
      title: 'numbers, and a time in a form of its own',
      config: {
        pattern: '^(?P<at>\\d+/\\d+/\\d+ \\S+) (?P<user>\\w+)(?: from (?P<from>\\S+))? sent (?P<size>\\d+)',
        time_field: 'at',
        time_format: '%d/%m/%y %T',
        number_fields: 'size:B',
        type: 'upload',
      },
      in: '05/03/21 13:07:59 alice sent 5120 bytes',
      out: {
        Timestamp: '1614949679000000000',
        Type: 'upload',
        Fields: { user: 'alice', size: { value: 5120, representation: 'B' } },
      },
    },
    { title: 'another line', config: { pattern: '^(?<a>[0-9]+)$' }, in: 'x', fails: 'the expression does not match' },
  ],
};

const FLAGS = /^[imsu]*$/;
/** `(?P<` behind an even number of backslashes. */
const OTHER_NAMES = /(?<!\\)((?:\\\\)*)\(\?P</g;

const noMatch: ProcessStatus = [-1, 'the expression does not match'];

const expression = compile(stringConfig('pattern'), stringConfig('flags'));
const names = groupNames(expression);
const options = new ColumnOptions({ time: TIMES });
const record = new ColumnRecord(names, options);

export function process_message(): ProcessStatus {
  const { text, start, end } = payload_span();
  const groups = expression.exec(text.slice(start, end))?.groups;
  if (groups === undefined) return noMatch;
  for (let i = 0; i < names.length; i++) {
    const value = groups[names[i] as string];
    if (value === undefined) continue;
    const refused = record.set(i, text, start, start, value);
    if (refused !== null) {
      record.discard();
      return [-1, refused];
    }
  }
  return record.inject(start, end);
}

function compile(pattern: string, flags: string): RegExp {
  if (!FLAGS.test(flags)) throw new TypeError('flags may only be i, m, s and u');
  return new RegExp(pattern.replace(OTHER_NAMES, '$1(?<'), flags);
}

/** The names of all groups: an expression that matches everything has them in its result. */
function groupNames({ source, flags }: RegExp): string[] {
  const groups = new RegExp(`${source}|`, flags).exec('')?.groups;
  if (groups === undefined) throw new TypeError('pattern needs a named group: (?<name>…)');
  return Object.keys(groups);
}
