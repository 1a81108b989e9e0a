/**
 * Finds rare events: values of a message variable that occurred no more than max_count times. Lines of the Payload are compared by their words,
 * with all numbers, addresses and times treated as equal; values of other variables are compared exactly. The parameter exact changes this.
 *
 * Each tick outputs the values that are rare at that time with their counts, and the same as JSON with times (milliseconds since 1970) and the
 * first line of each. Values that become more frequent leave the list. With alerts, values that are new since the last tick are sent as an alert,
 * except for those among the first learn_count messages.
 *
 * All values are counted in 256 KiB (see modules/count_min.ts): a count may be too large when there are many thousands of different
 * values, so a rare one may be missed, but a frequent one is never in the list. At most max_items are listed, the newest ones.
 */
import { send } from '../modules/alert.ts';
import { boolConfig, uintConfig, variableConfig } from '../modules/config.ts';
import { CountMinSketch } from '../modules/count_min.ts';
import { excerpt } from '../base/excerpt.ts';
import { valueText } from '../base/fields.ts';
import { messageTime } from '../modules/graph.ts';
import { unitsIn } from '../base/instant.ts';
import { logWords, MAX_LENGTH } from '../modules/log_words.ts';
import { fittingOutput } from '../base/output_size.ts';
import { injectWeights, keyOf } from '../modules/weights.ts';

interface Rare {
  count: number;
  readonly first: number;
  last: number;
  readonly example: string;
  /** Whether it is to be reported at the next tick. */
  fresh: boolean;
}

declare global {
  /** Values that were seen no more than max_count times, in the order in which they came. */
  var rare: Map<string, Rare>;
  var counts: CountMinSketch;
  /** Messages so far. */
  var seen: number;
}

export const meta: PluginMeta = {
  name: 'rare_events',
  kind: 'filter',
  summary: 'Lists values and lines that hardly ever occur.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable, such as `Payload` or `Fields[programname]`.', default: 'Payload' },
    exact: { type: 'bool', summary: 'Compare values as they are. Default: unless they are Payloads.' },
    max_count: { type: 'uint', summary: 'Occurrences up to which a value is rare.', default: 3, minimum: 1 },
    learn_count: { type: 'uint', summary: 'Messages at the beginning that cause no alert.', default: 1000 },
    max_items: { type: 'uint', summary: 'Values that are listed at most.', default: 500, minimum: 1 },
    alerts: { type: 'bool', summary: 'Send an alert for new rare values.', default: false },
  },
  examples: [
    {
      title: 'one line among many',
      config: { max_count: 1 },
      in: [
        { Timestamp: 0, Payload: 'job 1 done' },
        { Timestamp: 1e9, Payload: 'disk sda1 failed' },
        { Timestamp: 2e9, Payload: 'job 2 done' },
      ],
      out: [
        {
          Payload: 'Payload\tWeight\ndisk sda1 failed\t1\n',
          Fields: { payload_type: { value: 'tsv', representation: 'file-extension' }, payload_name: 'Rare values of Payload' },
        },
        {
          Payload: '{"rare":[{"value":"disk sda1 failed","count":1,"first":1000,"last":1000,"example":"disk sda1 failed"}]}',
          Fields: { payload_type: { value: 'json', representation: 'file-extension' }, payload_name: 'Rare values of Payload' },
        },
      ],
    },
    {
      title: 'a message without the variable',
      config: { message_variable: 'Fields[user]' },
      in: 'hi',
      fails: 'Fields[user] is not set',
    },
  ],
};

const EXAMPLE_LENGTH = 500;
const NOW = 0;
const MILLISECOND = 1e6;

const variable = variableConfig('message_variable');
const exact = boolConfig('exact', variable !== 'Payload');
const maxCount = uintConfig('max_count');
const learnCount = uintConfig('learn_count');
const maxItems = uintConfig('max_items');
const alerts = boolConfig('alerts');
const refusal: ProcessStatus = [-1, `${variable} is not set`];

globalThis.rare = new Map();
globalThis.counts = new CountMinSketch();
globalThis.seen = 0;

export function process_message(): ProcessStatus {
  const read = read_message(variable);
  if (read === null || read === '') return refusal;
  const text = excerpt(valueText(read), exact ? Infinity : MAX_LENGTH);
  const value = keyOf(exact ? text : logWords(text).join(' '));
  globalThis.seen++;
  const count = globalThis.counts.add(value);
  if (count > maxCount) globalThis.rare.delete(value);
  else note(value, count, text);
  return 0;
}

function note(value: string, count: number, text: string): void {
  const { rare } = globalThis;
  const time = messageTime();
  const known = rare.get(value);
  if (known !== undefined) {
    known.count = count;
    known.last = Math.max(known.last, time);
    return;
  }
  // One that has left the list because of its age, or whose count was another's.
  const fresh = count === 1 && globalThis.seen > learnCount;
  if (rare.size >= maxItems) rare.delete(rare.keys().next().value as string);
  rare.set(value, { count, first: time, last: time, example: excerpt(text, EXAMPLE_LENGTH), fresh });
}

export function timer_event(): void {
  const newest = [...globalThis.rare].reverse();
  const fresh = newest.filter(([, rare]) => rare.fresh);
  for (const [, rare] of fresh) rare.fresh = false;
  if (alerts) send(NOW, fittingOutput(fresh.map(([, { example }]) => `rare: ${example}`)).join('\n'));
  injectWeights(
    `Rare values of ${variable}`,
    variable,
    newest.map(([value, { count }]) => [value, count]),
  );
  const entries = newest.map(([value, { count, first, last, example }]) =>
    JSON.stringify({ value, count, first: unitsIn(first, MILLISECOND), last: unitsIn(last, MILLISECOND), example }),
  );
  inject_payload('json', `Rare values of ${variable}`, `{"rare":[${fittingOutput(entries).join(',')}]}`);
}
