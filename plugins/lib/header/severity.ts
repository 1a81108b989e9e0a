/** Severities of syslog (RFC 5424, section 6.2.1) from the levels that logging libraries write. */
import { COLOURS, ESCAPE } from '../colours.ts';

const WORDS: readonly (readonly string[])[] = [
  ['emerg', 'emergency', 'panic', 'pani'],
  ['alert', 'a'],
  ['crit', 'critical', 'fatal', 'fata', 'dpanic', 'c', 'f', 'ftl'],
  ['err', 'error', 'severe', 'fail', 'failure', 'e', 'eror', 'fehler', 'schwerwiegend', 'erreur', 'grave', 'errore', 'erro'],
  ['warn', 'warning', 'w', 'wrn', 'warnung', 'avertissement', 'advertencia', 'avviso', 'aviso', 'deprecation'],
  ['notice', 'noti', 'note', 'n', 'success'],
  ['info', 'information', 'informational', 'i', 'inf', 'log', 'infos', 'información'],
  [
    'debug',
    'd',
    'dbg',
    'dbug',
    'trace',
    't',
    'trc',
    'verbose',
    'v',
    'vrb',
    'fine',
    'finer',
    'finest',
    'config',
    'silly',
    'trce',
    'ddebug',
    'subdebug',
    'debu',
    'trac',
    'd1',
    'd2',
    'd3',
    'd4',
    'd5',
    'http',
  ],
];
const NUMBERS: ReadonlyMap<string, number> = new Map(WORDS.flatMap((words, severity) => words.map((word) => [word, severity])));
/** Words that are levels in records with names, and others elsewhere: Apple's faults. */
const NAMED: ReadonlyMap<string, number> = new Map([['fault', 2]]);
const DEBUG = 7;
/** A word with blanks, brackets or marks around it: ` WARN `, `[error]`, `✗ error`. */
const AROUND = /^[^\p{L}\d]{0,8}(\p{L}{1,16})[^\p{L}\d]{0,8}$/u;
/** A level of Go's slog between two with names: `INFO+2`. */
const SLOG = /^(DEBUG|INFO|WARN|ERROR)[+-]\d{1,9}$/;

/** The scale of pino and bunyan. */
export const PINO = 'pino';
export const PYTHON = 'python';
export const MONOLOG = 'monolog';
export const OPENTELEMETRY = 'opentelemetry';

/** Severities by the tens of a level, for bunyan and pino (trace, debug, info, warn, error, fatal) and Python's logging. */
const SCALES: Readonly<Record<string, readonly number[]>> = {
  [PINO]: [DEBUG, DEBUG, DEBUG, 6, 4, 3, 2],
  [PYTHON]: [DEBUG, DEBUG, 6, 4, 3, 2],
  [MONOLOG]: [],
};

/** Monolog's hundreds. */
const HUNDREDS: ReadonlyMap<number, number> = new Map([
  [100, DEBUG],
  [200, 6],
  [250, 5],
  [300, 4],
  [400, 3],
  [500, 2],
  [550, 1],
  [600, 0],
]);

const four = (severity: number): readonly number[] => Array.from({ length: 4 }, () => severity);

/** Severities of scales that have small numbers only: Nextcloud's 0 to 4, Windows' 1 to 5 and OpenTelemetry's 1 to 24. */
const SMALL_SCALES: Readonly<Record<string, readonly number[]>> = {
  nextcloud: [DEBUG, 6, 4, 3, 2],
  windows: [-1, 2, 3, 4, 6, DEBUG],
  [OPENTELEMETRY]: [-1, ...four(DEBUG), ...four(DEBUG), ...four(6), ...four(4), ...four(3), ...four(2)],
};

/** Logback's levels by their number of steps: trace, debug, info, warn, error. */
const LOGBACK_STEP = 5000;
const LOGBACK: Readonly<Record<number, number>> = { 1: DEBUG, 2: DEBUG, 4: 6, 6: 4, 8: 3 };

/** The severity that a word means, in any case, or -1. */
export function severityOfWord(word: string): number {
  return NUMBERS.get(word) ?? NUMBERS.get(word.toLowerCase()) ?? -1;
}

const knownWord = (word: string): number | undefined => NUMBERS.get(word.toLowerCase()) ?? NAMED.get(word.toLowerCase());

/** Turns levels into severities: words in any case, syslog's numbers 0 to 7, and the tens of a scale from 10 on. */
export class SeverityScale {
  readonly #tens: readonly number[];
  readonly #small: readonly number[] | null;
  readonly #isMonolog: boolean;

  /** `name`: `pino` (also for bunyan), `python`, `monolog`, `opentelemetry`, `nextcloud` or `windows`. */
  constructor(name: string) {
    const small = Object.hasOwn(SMALL_SCALES, name) ? SMALL_SCALES[name] : undefined;
    const tens = Object.hasOwn(SCALES, name) ? SCALES[name] : small;
    const known = [...Object.keys(SCALES), ...Object.keys(SMALL_SCALES)];
    if (tens === undefined) throw new TypeError(`severity_scale must be one of ${known.join(', ')}`);
    this.#tens = tens;
    this.#small = small ?? null;
    this.#isMonolog = name === MONOLOG;
  }

  /** The severity, or -1 when the level is none. */
  severityOf(level: Scalar): number {
    if (typeof level === 'number') return this.#ofNumber(level);
    if (typeof level !== 'string' || level === '') return -1;
    if (level.includes(ESCAPE)) return this.severityOf(level.replace(COLOURS, ''));
    const known = knownWord(level) ?? NUMBERS.get(SLOG.exec(level)?.[1]?.toLowerCase() ?? '');
    if (known !== undefined) return known;
    if (/^\d+$/.test(level)) return this.#ofNumber(Number(level));
    const word = AROUND.exec(level)?.[1];
    return word === undefined ? -1 : (knownWord(word) ?? -1);
  }

  #ofNumber(level: number): number {
    if (this.#isMonolog) return HUNDREDS.get(level) ?? -1;
    if (level > 100) return LOGBACK[level / LOGBACK_STEP] ?? -1;
    if (!Number.isInteger(level) || level < 0) return -1;
    if (this.#small !== null) return this.#small[level] ?? -1;
    if (level <= DEBUG) return level;
    if (level < 10) return -1;
    return this.#tens[Math.floor(level / 10)] ?? (this.#tens.at(-1) as number);
  }
}
