/** Levels among the words of a record: with a name, in brackets, or in capitals. */
import { isDigit } from '../../base/scan.ts';
import { severityOfWord } from './severity.ts';

const LEVEL =
  /\b(?:level|severity|lvl|levelname|loglevel|log_level)["']?\s?[=:]\s?["']?\s{0,8}([A-Za-z]+|\d{1,2})\b|[[(<|]\s?([A-Za-z]{3,11}|[DIWEFC])\s?[\])>|]|(?:^|\s)(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|CRIT|CRITICAL|FATAL|EMERG|PANIC|DEBU|NOTI|ERRO)(?=[\s:,]|$)/;
/** The tens of pino and bunyan. */
const TENS = [7, 7, 7, 6, 4, 3, 2];

export interface FurtherLevel {
  readonly severity: number;
  readonly from: number;
  readonly to: number;
  /** Whether it is a word in capitals that nothing marks. */
  readonly isBare: boolean;
}

/** The first level; null: there is none. */
export function furtherLevel(words: string): FurtherLevel | null {
  const found = LEVEL.exec(words);
  if (found === null) return null;
  const level = found[1] ?? found[2] ?? found[3] ?? '';
  const severity = isDigit(level.charCodeAt(0)) ? severityOfNumber(Number(level)) : severityOfWord(level);
  return { severity, from: found.index, to: found.index + found[0].length, isBare: found[3] !== undefined };
}

/** Syslog's 0 to 7, and tens. */
function severityOfNumber(level: number): number {
  if (level <= 7) return level;
  return level < 10 ? -1 : (TENS[Math.floor(level / 10)] ?? 2);
}
