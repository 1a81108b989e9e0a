/** Lines of nginx's error log. */
import { digits, integerIn, isSpace, oneOf } from '../../base/scan.ts';
import { PlainDate } from '../time/plain_date.ts';
import type { WallClock } from '../../modules/time_zone.ts';

/** Their numbers are the severities. */
const LEVELS = ['emerg', 'alert', 'crit', 'error', 'warn', 'notice', 'info', 'debug'];
const MAX_PID = 2_147_483_647;
const [BLANK, HASH, STAR, COLON, OPEN, CLOSE] = [32, 35, 42, 58, 91, 93];
const THREAD = 0;
const CONNECTION = 1;

/** The columns that `read` fills. */
export const NGINX_ERROR_COLUMNS: readonly WriterColumn[] = [
  { name: 'tid', kind: 'number' },
  { name: 'connection', kind: 'number' },
];

export class NginxErrorLine {
  readonly #clock: WallClock;
  readonly #date = new PlainDate('/');
  readonly #level = oneOf(LEVELS);

  /** @param clock the clock of the dates, which have no zone */
  constructor(clock: WallClock) {
    this.#clock = clock;
  }

  /** Writes the record [start, end). Returns null, or what is not where it belongs; nothing is written then. */
  read(writer: MessageWriter, text: string, start: number, end: number): 'date' | 'level' | 'process' | null {
    const afterDate = this.#date.read(text, start, end);
    if (afterDate < 0) return 'date';

    const level = afterDate + 2;
    const afterLevel = this.#level(text, level, end);
    const bracketed = isSpace(text.charCodeAt(afterDate)) && text.charCodeAt(level - 1) === OPEN && text.charCodeAt(afterLevel) === CLOSE;
    if (afterLevel < 0 || afterLevel >= end || !bracketed) return 'level';

    const process = afterLevel + 2;
    const afterProcess = digits(text, process, end);
    const afterThread = text.charCodeAt(afterProcess) === HASH ? digits(text, afterProcess + 1, end) : -1;
    const closed =
      text.charCodeAt(afterThread) === COLON && isSpace(text.charCodeAt(afterThread + 1)) && isSpace(text.charCodeAt(process - 1));
    if (afterProcess < 0 || afterThread < 0 || afterThread + 2 > end || !closed) return 'process';

    writer.timestamp(this.#clock.timeOf(this.#date));
    writer.severity(LEVELS.indexOf(text.slice(level, afterLevel)));
    const pid = integerIn(text, process, afterProcess);
    if (pid <= MAX_PID) writer.pid(pid);
    writer.number(THREAD, integerIn(text, afterProcess + 1, afterThread));
    writer.payloadSlice(readConnection(writer, text, afterThread + 2, end), end);
    return null;
  }
}

/** Writes the connection if one stands there; returns where the message begins. */
function readConnection(writer: MessageWriter, text: string, at: number, end: number): number {
  if (at >= end || text.charCodeAt(at) !== STAR) return at;
  const to = digits(text, at + 1, end);
  if (to < 0 || to >= end || text.charCodeAt(to) !== BLANK) return at;
  writer.number(CONNECTION, integerIn(text, at + 1, to));
  return to + 1;
}
