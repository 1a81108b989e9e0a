/**
 * Watches for sources that go silent: hosts, loggers, or the values of any message variable. A source that sends nothing for timeout seconds after
 * its last message is reported by one alert, and by another one when it is back. Each tick outputs for how many seconds each source has been
 * silent.
 *
 * Times are the Timestamps of messages, so a late message does not bring its source back. A source is forgotten after forget_seconds of silence;
 * when there are more than max_sources, the one that was silent for longest is forgotten.
 */
import { send } from '../modules/alert.ts';
import { uintConfig, variableConfig } from '../modules/config.ts';
import { messageTime } from '../modules/graph.ts';
import { unitsIn } from '../base/instant.ts';
import { isoTime } from '../modules/time.ts';
import { fittingOutput } from '../base/output_size.ts';
import { injectWeights, valueKey } from '../modules/weights.ts';

interface Source {
  /** Time of the last message. */
  last: number;
  /** Whether it was reported as silent. */
  silent: boolean;
}

declare global {
  var sources: Map<string, Source>;
  /** Sources that came back since the last tick, in words. */
  var returned: string[];
}

export const meta: PluginMeta = {
  name: 'heartbeat',
  kind: 'filter',
  summary: 'Sends an alert when a source of messages goes silent, and when it is back.',
  parameters: {
    message_variable: { type: 'string', summary: 'The variable that names the source.', default: 'Hostname' },
    timeout: { type: 'uint', summary: 'Seconds without a message after which a source is silent.', default: 300, minimum: 1 },
    forget_seconds: { type: 'uint', summary: 'Seconds of silence after which a source is forgotten; 0: never.', default: 86400 },
    max_sources: { type: 'uint', summary: 'Sources that are watched at most.', default: 1000, minimum: 1 },
  },
  examples: [
    {
      title: 'a host that stopped',
      config: { timeout: 60 },
      in: [
        { Timestamp: 0, Hostname: 'box1' },
        { Timestamp: 30e9, Hostname: 'box2' },
        { Timestamp: 90e9, Hostname: 'box2' },
      ],
      out: [
        {
          Payload: 'Hostname box1: silent since 1970-01-01T00:00:00.000Z (90 s)',
          Fields: { payload_type: { value: 'alert', representation: 'file-extension' }, payload_name: '' },
        },
        {
          Payload: 'Hostname\tWeight\nbox1\t90\nbox2\t0\n',
          Fields: { payload_type: { value: 'tsv', representation: 'file-extension' }, payload_name: 'Seconds of silence by Hostname' },
        },
      ],
    },
    { title: 'a message without a source', in: 'hi', fails: 'Hostname is not set' },
  ],
};

const NOW = 0;
const SECOND = 1e9;

const variable = variableConfig('message_variable');
const timeoutNs = uintConfig('timeout') * 1e9;
const forgetNs = uintConfig('forget_seconds') * 1e9;
const maxSources = uintConfig('max_sources');
const refusal: ProcessStatus = [-1, `${variable} is not set`];

globalThis.sources = new Map();
globalThis.returned = [];

export function process_message(): ProcessStatus {
  const value = read_message(variable);
  if (value === null || value === '') return refusal;
  const name = valueKey(value);
  const time = messageTime();
  const source = globalThis.sources.get(name);
  if (source === undefined) addSource(name, time);
  else if (time > source.last) hear(name, source, time);
  return 0;
}

function addSource(name: string, time: number): void {
  const { sources } = globalThis;
  if (sources.size >= maxSources) {
    const [oldest] = [...sources].reduce((a, b) => (b[1].last < a[1].last ? b : a));
    sources.delete(oldest);
  }
  sources.set(name, { last: time, silent: false });
}

function hear(name: string, source: Source, time: number): void {
  if (source.silent) globalThis.returned.push(`${variable} ${name}: back at ${dateOf(time)} after ${secondsOf(time - source.last)} s`);
  source.silent = false;
  source.last = time;
}

export function timer_event(ns: number): void {
  const { sources, returned } = globalThis;
  const lines = returned.splice(0);
  for (const [name, source] of sources) {
    // A message of the future was not heard later than now, however far a clock was ahead.
    source.last = Math.min(source.last, ns);
    const silence = ns - source.last;
    if (silence >= timeoutNs && !source.silent) {
      source.silent = true;
      lines.push(`${variable} ${name}: silent since ${dateOf(source.last)} (${secondsOf(silence)} s)`);
    }
    if (forgetNs > 0 && silence >= forgetNs) sources.delete(name);
  }
  send(NOW, fittingOutput(lines).join('\n'));
  const oldestFirst = [...sources].sort(([, a], [, b]) => a.last - b.last);
  injectWeights(
    `Seconds of silence by ${variable}`,
    variable,
    oldestFirst.map(([name, { last }]) => [name, secondsOf(Math.max(0, ns - last))]),
  );
}

function dateOf(ns: number): string {
  return isoTime(ns);
}

function secondsOf(ns: number): number {
  return unitsIn(ns, SECOND);
}
