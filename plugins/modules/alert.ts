/**
 * Alerts: messages of payload type `alert`, at most one within the throttle time. An alert is throttled when it comes no more than the throttle time after the
 * last one, or when it is older than the last one. An alert with the time 0 is never throttled.
 *
 * All alerts of a script without a kind are throttled together. An alert can name a kind, such as the title of a graph; each kind is throttled
 * separately. The times of the last alerts are in the globals `_LAST_ALERT` and, by kind, `_LAST_ALERTS`. With `preserve_data`, alerts are therefore also
 * throttled after a restart.
 */
import { checkOptionalString, durationArgument, timeArgument } from '../base/arguments.ts';
import { fittingOutput } from '../base/output_size.ts';

declare global {
  var _LAST_ALERT: number;
  var _LAST_ALERTS: Map<string, number>;
}

/** The subject of an alert; absent: the script as a whole. */
type Kind = string | null | undefined;

const ONE_HOUR_NS = 3600e9;
/** Kinds whose last time is kept; of more, those with the newest alerts. */
const MAX_KINDS = 1000;

globalThis._LAST_ALERT = 0;
globalThis._LAST_ALERTS = new Map();
let throttle = ONE_HOUR_NS;
let queued: { readonly msg: string; readonly kind: Kind }[] = [];

/** Sets the least time between two alerts in nanoseconds, a number or a BigInt of at least 0; one hour when it is never set. */
export function set_throttle(ns_duration: number | bigint): void {
  throttle = durationArgument('set_throttle', 1, ns_duration);
}

/** Whether an alert at `ns` would be throttled: because it is no more than the throttle time after the last one of its kind, or older. */
export function throttled(ns: number | bigint, kind?: string | null): boolean {
  const time = timeArgument('throttled', 1, ns);
  checkOptionalString('throttled', 2, kind);
  return isThrottled(time, kind);
}

/** Sends an alert at once. Returns false when it is empty or throttled. */
export function send(ns: number | bigint, msg: string | null | undefined, kind?: string | null): boolean {
  const time = timeArgument('send', 1, ns);
  checkOptionalString('send', 2, msg);
  checkOptionalString('send', 3, kind);
  if (!msg || isThrottled(time, kind)) return false;
  inject_payload('alert', '', msg);
  note(time, kind);
  return true;
}

/** Keeps an alert for `send_queue`. Returns false when it is empty or would be throttled. */
export function queue(ns: number | bigint, msg: string | null | undefined, kind?: string | null): boolean {
  const time = timeArgument('queue', 1, ns);
  checkOptionalString('queue', 2, msg);
  checkOptionalString('queue', 3, kind);
  if (!msg || isThrottled(time, kind)) return false;
  queued.push({ msg, kind });
  return true;
}

/**
 * Sends the queued alerts of all kinds as one alert with a line for each. If they exceed the output limit, only the first ones are sent. Returns false when
 * there are none or when all are throttled. The queue is empty afterwards, so throttled alerts are lost.
 */
export function send_queue(ns: number | bigint): boolean {
  const time = timeArgument('send_queue', 1, ns);
  const due = queued.filter(({ kind }) => !isThrottled(time, kind));
  queued = [];
  const messages = fittingOutput(due.map(({ msg }) => msg));
  if (messages.length === 0) return false;
  inject_payload('alert', '', messages.join('\n'));
  for (const { kind } of due.slice(0, messages.length)) note(time, kind);
  return true;
}

function isThrottled(ns: number, kind: Kind): boolean {
  return ns !== 0 && ns - lastOf(kind) <= throttle;
}

/** The time of the last alert of a kind; of a new kind, long ago. */
function lastOf(kind: Kind): number {
  return typeof kind !== 'string' ? globalThis._LAST_ALERT : (globalThis._LAST_ALERTS.get(kind) ?? 0);
}

function note(ns: number, kind: Kind): void {
  if (ns <= lastOf(kind)) return;
  if (typeof kind !== 'string') globalThis._LAST_ALERT = ns;
  else noteKind(kind, ns);
}

function noteKind(kind: string, ns: number): void {
  const times = globalThis._LAST_ALERTS;
  times.set(kind, ns);
  if (times.size <= MAX_KINDS) return;
  const [oldest] = [...times].reduce((a, b) => (b[1] < a[1] ? b : a));
  times.delete(oldest);
}
