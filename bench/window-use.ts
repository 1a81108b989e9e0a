import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile, type Figure } from './report.ts';
import { withWindow } from './window-process.ts';

const LINES_A_SECOND = 5000;
const PIECES_A_SECOND = 50;
const FOLLOWED_SECONDS = 6;
/** Times that each work is done. */
const ROUNDS = 5;

/** Milliseconds that the page measured while someone worked with it. */
interface Used {
  /** From a click on the scroll bar to the rows of that place. */
  readonly jump: readonly number[];
  /** From a click on a record to its fields. */
  readonly record: readonly number[];
  /** From a click that switches a filter on to its first page. */
  readonly filter: readonly number[];
  /** Between frames. */
  readonly scroll: readonly number[];
  readonly follow: readonly number[];
  /** Age of the newest line that is shown, for each one that is new. */
  readonly ages: readonly number[];
}

/** Waits of a user in a window that has read its file. The file grows. */
export async function useFigures(name: string, data: string, file: string): Promise<Figure[]> {
  const over = new AbortController();
  const used = await withWindow({ data, file, used: ROUNDS }, async ({ marks }) => {
    for await (const { mark, value } of marks) {
      if (mark === 'following') void grow(file, over.signal);
      if (mark !== 'used') continue;
      over.abort();
      return value as Used;
    }
    throw new Error('The window closed while it was used.');
  });
  return [
    time(`${name}: click on the scroll bar to its page`, used.jump),
    time(`${name}: click on a record to its fields`, used.record),
    time(`${name}: filter to its first page`, used.filter),
    ...frames(`${name}: frames while it scrolls`, used.scroll),
    ...frames(`${name}: frames at ${LINES_A_SECOND.toLocaleString('en')} new lines/s`, used.follow),
    time(`${name}: line written to line shown`, used.ages),
  ];
}

const time = (what: string, values: readonly number[]): Figure => ({
  what,
  value: median(values),
  unit: 'ms',
  note: `longest ${Math.round(Math.max(...values))}, of ${values.length}`,
});

const frames = (what: string, values: readonly number[]): Figure[] => [
  { what: `${what}, median`, value: median(values), unit: 'ms' },
  { what: `${what}, 95th percentile`, value: percentile(values, 95), unit: 'ms', note: `longest ${Math.round(Math.max(...values))}` },
];

/** Writes lines with the time at which each was written. */
async function grow(file: string, over: AbortSignal): Promise<void> {
  const started = performance.now();
  for (let piece = 0; piece < FOLLOWED_SECONDS * PIECES_A_SECOND && !over.aborted; piece++) {
    await delay(Math.max(0, started + (piece * 1000) / PIECES_A_SECOND - performance.now()));
    const line = `192.0.2.1 - - [${clock(new Date())}] "GET /at/${Date.now()} HTTP/1.1" 200 17 "-" "bench"\n`;
    appendFileSync(file, line.repeat(LINES_A_SECOND / PIECES_A_SECOND));
  }
}

/** A time as web servers write it. */
function clock(time: Date): string {
  const [, day, month, year, hours] = time.toUTCString().split(' ');
  return `${day}/${month}/${year}:${hours} +0000`;
}
