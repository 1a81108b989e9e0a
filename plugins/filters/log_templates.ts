/**
 * Groups lines into patterns, such as `Accepted publickey for <*> from <ip> port <num> ssh2`, with counts and an example of each; reports new
 * patterns and patterns that no longer occur.
 *
 * Numbers, addresses, times, UUIDs and hexadecimal numbers are recognised by their form, and words that vary become `<*>`. Patterns are found line
 * by line, by the algorithm Drain (P. He, J. Zhu, Z. Zheng, M. R. Lyu, "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017),
 * in bounded memory: when there are more than max_patterns, those that were not seen for the longest time are forgotten.
 *
 * Each tick outputs a table of the patterns and their counts, and the same as JSON with ids, times (milliseconds since 1970) and examples. A
 * pattern is `new` at the tick after its first line, unless that line came within learn_seconds of the filter's first line. A pattern of at least
 * gone_count lines is `gone` when it was not seen for gone_seconds. With alerts both are sent as alerts, at most one at each tick.
 *
 * Times later than a tick, as of lines that came before the clock was set back, count as the time of that tick.
 */
import { send } from '../modules/alert.ts';
import { boolConfig, numberConfig, uintConfig, variableConfig } from '../modules/config.ts';
import { Drain, type DrainState, type LogPattern } from '../modules/drain.ts';
import { excerpt } from '../base/excerpt.ts';
import { valueText } from '../base/fields.ts';
import { messageTime } from '../modules/graph.ts';
import { unitsIn } from '../base/instant.ts';
import { isoTime } from '../modules/time.ts';
import { logWords, MAX_LENGTH } from '../modules/log_words.ts';
import { fittingOutput } from '../base/output_size.ts';
import { injectWeights } from '../modules/weights.ts';

declare global {
  var patterns: DrainState;
  /** State of the reports: which patterns were reported, and the time of the first line. */
  var reported: Reported;
}

interface Reported {
  /** Time of the first line; null before it. */
  start: number | null;
  /** Patterns up to this id are not new any more. */
  lastId: number;
  /** Ids of patterns that are gone. */
  readonly gone: Set<number>;
}

export const meta: PluginMeta = {
  name: 'log_templates',
  kind: 'filter',
  summary: 'Groups lines into patterns, and reports new and vanished ones.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable that holds the lines.', default: 'Payload' },
    similarity: {
      type: 'number',
      summary: 'Share of the words that a line must have in common with its pattern.',
      default: 0.5,
      minimum: 0,
      maximum: 1,
    },
    prefix_words: { type: 'uint', summary: 'Words at the beginning that must be the same, unless they vary.', default: 1 },
    max_patterns: { type: 'uint', summary: 'Patterns that are kept at most.', default: 1000, minimum: 10 },
    max_output: { type: 'uint', summary: 'Patterns that are output at most, most frequent first.', default: 200 },
    learn_seconds: { type: 'uint', summary: 'Seconds after the first line in which no pattern is new.', default: 600 },
    gone_seconds: { type: 'uint', summary: 'Seconds after which a pattern is gone; 0: never.', default: 3600 },
    gone_count: { type: 'uint', summary: 'Lines that a pattern must have had to be missed.', default: 100 },
    alerts: { type: 'bool', summary: 'Send an alert for new patterns and for those that are gone.', default: false },
  },
  examples: [
    {
      title: 'logins',
      in: [
        { Timestamp: 0, Payload: 'Accepted publickey for alice from 192.0.2.7 port 4411 ssh2' },
        { Timestamp: 1e9, Payload: 'Accepted publickey for bob from 192.0.2.8 port 4712 ssh2' },
        { Timestamp: 2e9, Payload: 'Connection closed by 192.0.2.8' },
      ],
      out: [
        {
          Payload: 'Pattern\tWeight\nAccepted publickey for <*> from <ip> port <num> ssh2\t2\nConnection closed by <ip>\t1\n',
          Fields: { payload_type: { value: 'tsv', representation: 'file-extension' }, payload_name: 'Patterns of Payload' },
        },
        {
          Payload:
            '{"patterns":[' +
            '{"id":1,"pattern":"Accepted publickey for <*> from <ip> port <num> ssh2","count":2,"state":"known","first":0,"last":1000,' +
            '"example":"Accepted publickey for alice from 192.0.2.7 port 4411 ssh2"},' +
            '{"id":2,"pattern":"Connection closed by <ip>","count":1,"state":"known","first":2000,"last":2000,' +
            '"example":"Connection closed by 192.0.2.8"}]}',
          Fields: { payload_type: { value: 'json', representation: 'file-extension' }, payload_name: 'Patterns of Payload' },
        },
      ],
    },
    {
      title: 'a message without the variable',
      config: { message_variable: 'Fields[line]' },
      in: { Payload: 'x' },
      fails: 'Fields[line] is not set',
    },
  ],
};

const EXAMPLE_LENGTH = 500;
const NOW = 0;
const MILLISECOND = 1e6;

const variable = variableConfig('message_variable');
const options = {
  similarity: numberConfig('similarity'),
  prefix: uintConfig('prefix_words'),
  maxPatterns: uintConfig('max_patterns'),
};
const maxOutput = uintConfig('max_output');
const learnNs = uintConfig('learn_seconds') * 1e9;
const goneNs = uintConfig('gone_seconds') * 1e9;
const goneCount = uintConfig('gone_count');
const alerts = boolConfig('alerts');
const refusal: ProcessStatus = [-1, `${variable} is not set`];

globalThis.patterns = { patterns: [], next: 1 };
globalThis.reported = { start: null, lastId: 0, gone: new Set() };
let miner: Drain | null = null;

/** The miner of the state, made at the first call: a state is restored after the top level has run. */
function currentMiner(): Drain {
  return (miner ??= new Drain(options, globalThis.patterns));
}

export function process_message(): ProcessStatus {
  const value = read_message(variable);
  if (value === null || value === '') return refusal;
  const line = excerpt(valueText(value), MAX_LENGTH);
  const time = messageTime();
  globalThis.reported.start ??= time;
  currentMiner().add(logWords(line), excerpt(line, EXAMPLE_LENGTH), time);
  return 0;
}

export function timer_event(ns: number): void {
  const { reported, patterns } = globalThis;
  if (reported.start !== null && reported.start > ns) reported.start = ns;
  for (const pattern of patterns.patterns) if (pattern.last > ns) pattern.last = ns;
  const learnt = (reported.start ?? Infinity) + learnNs;
  const fresh = patterns.patterns.filter(({ id, first }) => id > reported.lastId && first >= learnt);
  const gone = newlyGone(ns);
  output(new Set(fresh.map(({ id }) => id)));
  if (alerts) send(NOW, fittingOutput([...fresh.map(newText), ...gone.map(goneText)]).join('\n'));
  reported.lastId = patterns.next - 1;
}

/** Patterns that are missed since this tick. */
function newlyGone(ns: number): LogPattern[] {
  const { gone } = globalThis.reported;
  const missed = globalThis.patterns.patterns.filter(({ count, last }) => goneNs > 0 && count >= goneCount && ns - last >= goneNs);
  const ids = new Set(missed.map(({ id }) => id));
  for (const id of gone) if (!ids.has(id)) gone.delete(id);
  const fresh = missed.filter(({ id }) => !gone.has(id));
  for (const { id } of fresh) gone.add(id);
  return fresh;
}

function output(fresh: ReadonlySet<number>): void {
  const sorted = globalThis.patterns.patterns.toSorted((a, b) => b.count - a.count || a.id - b.id).slice(0, maxOutput);
  injectWeights(
    `Patterns of ${variable}`,
    'Pattern',
    sorted.map((pattern) => [textOf(pattern), pattern.count]),
  );
  const entries = sorted.map((pattern) => JSON.stringify(entryOf(pattern, fresh)));
  inject_payload('json', `Patterns of ${variable}`, `{"patterns":[${fittingOutput(entries).join(',')}]}`);
}

function entryOf(pattern: LogPattern, fresh: ReadonlySet<number>): object {
  const { id, count, first, last, example } = pattern;
  const state = globalThis.reported.gone.has(id) ? 'gone' : fresh.has(id) ? 'new' : 'known';
  return { id, pattern: textOf(pattern), count, state, first: unitsIn(first, MILLISECOND), last: unitsIn(last, MILLISECOND), example };
}

function textOf({ words }: LogPattern): string {
  return words.join(' ');
}

function newText(pattern: LogPattern): string {
  return `new pattern: ${textOf(pattern)} (${pattern.count} lines, such as: ${pattern.example})`;
}

function goneText(pattern: LogPattern): string {
  return `pattern gone since ${isoTime(pattern.last)}: ${textOf(pattern)} (${pattern.count} lines)`;
}
