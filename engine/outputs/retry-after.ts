/** A date as HTTP writes it, in its three forms; `Date.parse` finds one in nearly everything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;
const SECONDS = /^\d+(?:\.\d+)?$/;

/** The wait that a header `Retry-After` asks for, in milliseconds from `nowMs` on; 0: none, or one that is not understood. */
export function retryAfterMs(header: string, nowMs: number): number {
  const text = header.trim();
  if (SECONDS.test(text)) return Number(text) * 1000;
  const at = HTTP_DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs);
}
