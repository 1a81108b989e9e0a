/**
 * Sends an alert when the number of the messages that it receives within a window of time crosses a number: when there are more than `number`, or, with
 * `below`, fewer. It tells again after the number was crossed the other way.
 *
 * Times are the Timestamps of messages. The window moves in steps of a sixtieth of its length, so a count can have messages of one step more. Messages older
 * than the window are not counted. Too few messages are only found at a tick, and not before a whole window has passed.
 */
import { ALERT_THROTTLE } from '../base/graph_parameters.ts';
import { isoTime } from '../modules/time.ts';
import { send, set_throttle } from '../modules/alert.ts';
import { boolConfig, stringConfig, uintConfig } from '../modules/config.ts';
import { messageTime } from '../modules/graph.ts';

interface Window {
  /** Messages of each step, the newest at `newest` modulo their number. */
  readonly counts: number[];
  /** Number of the newest step since 1970; null: there was no message yet. */
  newest: number | null;
  /** Number of the first step. */
  first: number;
  total: number;
  /** Whether the number is crossed now. */
  crossed: boolean;
}

declare global {
  var counted: Window;
}

export const meta: PluginMeta = {
  name: 'count_alert',
  kind: 'filter',
  summary: 'Sends an alert when the number of messages in a window of time crosses a number.',
  parameters: {
    number: { type: 'uint', summary: 'The number that is crossed.', default: 100 },
    window: { type: 'uint', summary: 'Seconds of the window.', default: 300, minimum: 1 },
    below: { type: 'bool', summary: 'Alert when there are fewer messages, not more.', default: false },
    text: {
      type: 'string',
      summary: 'Only messages with this text in their payload or in a field, in upper or lower case; all when it is not set.',
    },
    title: { type: 'string', summary: 'The words for these messages in the alert.', default: 'Messages' },
    alert_throttle: ALERT_THROTTLE,
  },
  examples: [
    {
      title: 'more than one failure within a minute',
      config: { number: 1, window: 60, text: 'failed', title: 'Failures' },
      in: [
        { Timestamp: 86400e9, Payload: 'login failed' },
        { Timestamp: 86410e9, Payload: 'login done' },
        { Timestamp: 86420e9, Payload: 'Failed again' },
      ],
      out: [
        {
          Payload: 'Failures: 2 within 60 s, more than 1, at 1970-01-02T00:00:20.000Z',
          Fields: { payload_type: { value: 'alert', representation: 'file-extension' }, payload_name: '' },
        },
      ],
    },
  ],
};

const STEPS = 60;
const SECOND = 1e9;

const number = uintConfig('number');
const seconds = uintConfig('window');
const below = boolConfig('below');
const wanted = stringConfig('text', '').toLowerCase();
const title = stringConfig('title');
const step = (seconds * SECOND) / STEPS;

set_throttle(uintConfig('alert_throttle') * SECOND);
globalThis.counted = { counts: Array.from({ length: STEPS }, () => 0), newest: null, first: 0, total: 0, crossed: false };

export function process_message(): ProcessStatus {
  if (wanted !== '' && !hasText()) return 0;
  const time = messageTime();
  const at = Math.floor(time / step);
  const { counted } = globalThis;
  moveTo(at);
  const age = (counted.newest ?? at) - at;
  if (age >= STEPS) return 0;
  const slot = slotOf(at);
  counted.counts[slot] = (counted.counts[slot] ?? 0) + 1;
  counted.total++;
  if (!below) tell(time);
  return 0;
}

export function timer_event(ns: number): void {
  const { counted } = globalThis;
  if (counted.newest === null) return;
  moveTo(Math.floor(ns / step));
  if (!below || (counted.newest ?? 0) - counted.first >= STEPS) tell(ns);
}

/** The place of a step among the counts, of times before 1970 as well. */
const slotOf = (at: number): number => ((at % STEPS) + STEPS) % STEPS;

/** Lets the window end with this step, if that is later. */
function moveTo(at: number): void {
  const { counted } = globalThis;
  if (counted.newest === null) {
    counted.newest = at;
    counted.first = at;
  }
  const ended = Math.min(STEPS, at - counted.newest);
  for (let i = 1; i <= ended; i++) {
    const slot = slotOf(at - ended + i);
    counted.total -= counted.counts[slot] ?? 0;
    counted.counts[slot] = 0;
  }
  counted.newest = Math.max(counted.newest, at);
  if (!below && counted.total <= number) counted.crossed = false;
}

function tell(time: number): void {
  const { counted } = globalThis;
  const { total } = counted;
  const crossed = below ? total < number : total > number;
  if (crossed && !counted.crossed)
    send(time, `${title}: ${total} within ${seconds} s, ${below ? 'fewer' : 'more'} than ${number}, at ${isoTime(time)}`);
  counted.crossed = crossed;
}

function hasText(): boolean {
  if (isWanted(read_message('Payload'))) return true;
  for (;;) {
    const [type, name, value, , count] = read_next_field();
    if (type === null || name === null) return false;
    if (isWanted(value)) return true;
    for (let i = 1; i < (count ?? 0); i++) if (isWanted(read_message(`Fields[${name}]`, 0, i))) return true;
  }
}

const isWanted = (value: unknown): boolean => typeof value === 'string' && value.toLowerCase().includes(wanted);
