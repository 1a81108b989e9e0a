/**
 * Alerts: messages of payload type `alert`, at most one within the throttle time. The time of the last alert is the global `_LAST_ALERT`,
 * so that preserved data throttles across a restart. Time 0 is never throttled. An alert exactly the throttle time after the last one is held back, and
 * so is one that is older than the last one. All alerts of a script are throttled together, whatever they are about.
 */
import { checkOptionalString, durationArgument, timeArgument } from '../base/arguments.ts';
import { fittingOutput } from '../base/output_size.ts';

declare global {
  var _LAST_ALERT: number;
}

const ONE_HOUR_NS = 3600e9;

globalThis._LAST_ALERT = 0;
let throttle = ONE_HOUR_NS;
let queued: string[] = [];

/** Sets the least time between two alerts in nanoseconds, a number or a BigInt of at least 0; one hour when it is never set. */
export function set_throttle(ns_duration: number | bigint): void {
  throttle = durationArgument('set_throttle', 1, ns_duration);
}

/** Whether an alert at `ns` would be held back: when it is no more than the throttle time after the last one, or older. */
export function throttled(ns: number | bigint): boolean {
  return isThrottled(timeArgument('throttled', 1, ns));
}

/** Sends an alert at once. False when it is empty or throttled. */
export function send(ns: number | bigint, msg: string | null | undefined): boolean {
  const time = timeArgument('send', 1, ns);
  checkOptionalString('send', 2, msg);
  return sendNow(time, msg);
}

/** Keeps an alert for `send_queue`. False when it is empty or would be throttled. */
export function queue(ns: number | bigint, msg: string | null | undefined): boolean {
  const time = timeArgument('queue', 1, ns);
  checkOptionalString('queue', 2, msg);
  if (!msg || isThrottled(time)) return false;
  queued.push(msg);
  return true;
}

/**
 * Sends all queued alerts as one, a line each; of very many the first ones that fit into an output. False when there are none or when it is throttled; the
 * queue is empty afterwards, so what was throttled is lost.
 */
export function send_queue(ns: number | bigint): boolean {
  const time = timeArgument('send_queue', 1, ns);
  const messages = queued;
  queued = [];
  return sendNow(time, fittingOutput(messages).join('\n'));
}

function isThrottled(ns: number): boolean {
  return ns !== 0 && ns - globalThis._LAST_ALERT <= throttle;
}

function sendNow(ns: number, msg: string | null | undefined): boolean {
  if (!msg || isThrottled(ns)) return false;
  inject_payload('alert', '', msg);
  globalThis._LAST_ALERT = Math.max(globalThis._LAST_ALERT, ns);
  return true;
}
