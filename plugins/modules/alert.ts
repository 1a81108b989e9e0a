/**
 * Alerts: messages of payload type `alert`, at most one within the throttle time. The time of the last alert is the global `_LAST_ALERT`,
 * so that preserved data throttles across a restart. Time 0 is never throttled.
 */
import { fittingOutput } from '../base/output_size.ts';

declare global {
  var _LAST_ALERT: number;
}

const ONE_HOUR_NS = 3600e9;

globalThis._LAST_ALERT = 0;
let throttle = ONE_HOUR_NS;
let queued: string[] = [];

/** Sets the least time between two alerts in nanoseconds; one hour when it is never set. */
export function set_throttle(ns_duration: number): void {
  throttle = ns_duration;
}

/** Whether an alert at `ns` would be held back, also because it is older than the last one. */
export function throttled(ns: number): boolean {
  return ns !== 0 && ns - globalThis._LAST_ALERT <= throttle;
}

/** Sends an alert. False when it is empty or throttled. */
export function send(ns: number, msg: string | null | undefined): boolean {
  if (!msg || throttled(ns)) return false;
  inject_payload('alert', '', msg);
  globalThis._LAST_ALERT = Math.max(globalThis._LAST_ALERT, ns);
  return true;
}

/** Keeps an alert for `send_queue`. False when it is empty or would be throttled. */
export function queue(ns: number, msg: string | null | undefined): boolean {
  if (!msg || throttled(ns)) return false;
  queued.push(msg);
  return true;
}

/**
 * Sends all queued alerts as one, a line each; of very many the first ones that fit into an output. False when there are none or when it is throttled; the
 * queue is empty afterwards.
 */
export function send_queue(ns: number): boolean {
  const messages = queued;
  queued = [];
  return send(ns, fittingOutput(messages).join('\n'));
}
