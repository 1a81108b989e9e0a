/** Header between the time of a record and its words: level, process, thread, component, place in the source. */
import { isDigit } from '../../base/scan.ts';
import { furtherLevel } from './further_level.ts';
import { isLevelName, isLevelWord, kindOf, topicsAt, type WordKind } from './header_words.ts';
import { isMark, isStrongMark, levelWithin, marksEnd } from './level_marks.ts';
import { severityOfWord } from './severity.ts';
import { isGap, packedEnd, wordEnd } from './word_ends.ts';
import { Span } from '../syslog/syslog_line.ts';

const MOST_PARTS = 10;
const LONGEST_PART = 160;
const MAX_PID = 2_147_483_647;
const [TAB, SPACE, HASH, PARENTHESIS, COMMA, DASH, COLON, LESS, GREATER, OPEN, CLOSE, BRACE, PIPE, SEMICOLON] = [
  9, 32, 35, 40, 44, 45, 58, 60, 62, 91, 93, 123, 124, 59,
];
const CLOSING: Readonly<Record<number, string>> = { [OPEN]: ']', [LESS]: '>', [PARENTHESIS]: ')', [BRACE]: '}' };

/** Facility and severity of syslog, as busybox and OpenWrt write them. */
const FACILITY = String.raw`(?:kern|user|mail|daemon|auth|syslog|lpr|news|uucp|cron|authpriv|ftp|ntp|local[0-7])\.(?:emerg|alert|crit|err|error|warn|warning|notice|info|debug)`;
const FACILITY_WORD = new RegExp(`^${FACILITY}$`);
/** Facility and severity, or a program and its process, behind the name of a machine. */
const BEHIND_HOST = new RegExp(
  String.raw` (?:${FACILITY} |(?:EMERG|ALERT|CRIT|ERR|ERROR|WARN|WARNING|NOTICE|INFO|DEBUG) [\w./#-]{1,64}(?:\[\d{1,10}\])?: |[^\s[\]]{1,64}\[\d{1,10}\](?::| ))`,
  'y',
);
/** A process and its thread: `1234:0`. */
const PROCESS_AND_THREAD = /^(\d{1,10}):\w{1,10}$/;
/** An error of the system in Python's words: no level. */
const ERROR_CODE = /^(?:Errno|WinError) -?\d+$/;
/** The number of a request. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** An address of IPv6 and its port: `[2001:db8::1]:50122`. */
const ENDPOINT = /\[[\da-f:.]{2,45}\]:\d{1,5}(?=\s|$)/y;
const PROGRAM_NAME = /^[A-Za-z][\w$.:/@#()-]*$/;
const LEVEL_AND_MORE = /^([A-Za-z]{3,12})[\s/:,|]+(\S.*)$/;
const MORE_AND_LEVEL = /^(.*\S)[\s/:,|]([A-Za-z]{3,12})$/;
/** A level of any case right behind a name: `root-I:Info`. */
const JOINED = /\w[:/][A-Za-z]{3,12}$/;
const SLASHED = /^([VDIWEFA]|[A-Za-z]{4,11})\/(\w.*)$|^([DIWEF])!$/;
/** The marks of Xorg. */
const MARKS: Readonly<Record<string, number>> = { EE: 3, WW: 4, '!!': 5, II: 6, NI: 6, '++': 6, '==': 6, '--': 6, '**': 6 };
/** A level in front of the time: `=INFO REPORT`, `[ns_server:info,`. */
const BEFORE_TIME = /(?:^|[\s[(<|=:,])([A-Za-z]{3,11})(?=[\s\])>|,:])/g;
/** Words that are levels where something marks them as one. */
const AMBIGUOUS = new Set(['note', 'fine', 'config', 'fail', 'failure', 'log', 'silly', 'trace', 'verbose', 'alert', 'success']);
/** Those of them that are levels with a colon right behind them. */
const BEFORE_COLON = new Set(['fail', 'trace', 'verbose', 'alert']);
/** The end of a time. */
const CLOCK_END = /\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** Android's letter of an assertion is a capital. */
const ARTICLE = 'a';
/** Levels that are words of a sentence where another word follows: `FAIL LOGIN`. */
const IN_SENTENCE = new Set(['FAIL', 'FAILURE', 'SUCCESS', 'NOTE']);
const FURTHEST = 160;
/** Separators that stand behind a level that is no word of a sentence. */
const APART = ['  ', ' - ', ' | ', ' : ', '> ', ' <', ' »'];

/** Reads the header of one record at a time. Parts that it does not have are empty or -1. */
export class LogHeader {
  severity = -1;
  pid = -1;
  readonly component = new Span();
  readonly thread = new Span();
  readonly source = new Span();
  readonly host = new Span();
  readonly facility = new Span();
  /** Whether the level was one letter. */
  #isLetter = false;
  /** Whether a name with a colon was read: what follows are words, or a level. */
  #named = false;
  /** Whether a mark stands in front of the level. */
  #isMarked = false;
  /** Whether the gap before the part is as wide as between columns. */
  #wide = false;
  /** Whether colons without blanks stand between the parts: `ERROR:root:no`. */
  #packed = false;

  readonly #smallLevels: boolean;

  /** @param options smallLevels: a level in small letters needs no mark, though it may be a word of a sentence */
  constructor({ smallLevels }: { readonly smallLevels: boolean } = { smallLevels: true }) {
    this.#smallLevels = smallLevels;
  }

  /** Forgets the last record. */
  begin(): void {
    this.severity = this.pid = -1;
    for (const span of [this.component, this.thread, this.source, this.host, this.facility]) span.set(0, 0);
  }

  /** Reads the parts from `at` on. Returns the position of the first word that is none. */
  read(text: string, at: number, end: number): number {
    this.#named = this.#packed = this.#isLetter = this.#isMarked = false;
    let from = this.#gapEnd(text, at, end);
    for (let parts = 0; parts < MOST_PARTS && from < end; parts++) {
      const to = this.#part(text, from, end);
      if (to < 0) break;
      from = this.#gapEnd(text, to, end);
    }
    return from;
  }

  /** Takes a level that is not in the header, in the words from `at` on. Returns the position of the words. */
  readFurther(text: string, at: number, end: number): number {
    const words = text.slice(at, Math.min(end, at + FURTHEST));
    const found = furtherLevel(words);
    if (found === null) return at;
    this.severity = found.severity;
    if (!found.isBare) return at;
    const before = words.slice(0, found.from).trimEnd();
    const names = before.split(' ');
    if (before === '' || !names.every((name) => kindOf(name).isModule || /\d/.test(name))) return at;
    const last = names.at(-1) as string;
    // A date that is none is no component.
    if (this.component.empty && (kindOf(last).isName || !CLOCK_END.test(last)))
      this.component.set(at + before.length - last.length, at + before.length);
    return this.#gapEnd(text, at + found.to, end);
  }

  /** Takes a level that stands in front of the time, in [at, end). */
  readBefore(text: string, at: number, end: number): void {
    for (const [, word = ''] of text.slice(Math.max(at, end - FURTHEST), end).matchAll(BEFORE_TIME)) {
      const isWord = AMBIGUOUS.has(word.toLowerCase()) && word.toUpperCase() !== word;
      const severity = isWord ? -1 : severityOfWord(word);
      if (severity < 0) continue;
      this.severity = severity;
      return;
    }
  }

  /** White space and the marks that stand between parts. */
  #gapEnd(text: string, at: number, end: number): number {
    let to = at;
    for (; to < end; to++) {
      const code = text.charCodeAt(to);
      if (code === SPACE || code === TAB || code === PIPE || (code === SEMICOLON && to === at)) continue;
      const next = text.charCodeAt(to + 1);
      const isMark = code === DASH || code === COLON || code === COMMA || code === CLOSE || code === GREATER;
      if (code === COLON && to === at && isCapital(next)) continue;
      if (!isMark || !(next === SPACE || next === TAB || next === code || (code === COLON && next === OPEN) || to + 1 === end)) break;
    }
    this.#wide = to - at > 1;
    return to;
  }

  /** Takes the part at `at`. Returns the position after it, or -1 when it is none. */
  #part(text: string, at: number, end: number): number {
    const code = text.charCodeAt(at);
    if (this.severity < 0 && isMark(code)) {
      const level = marksEnd(text, at);
      this.#isMarked = level >= 0 && isStrongMark(code);
      if (level >= 0 && level < end) return level;
      const { to, severity } = levelWithin(text, at);
      if (to >= 0 && to <= end) {
        this.severity = severity;
        return to;
      }
    }
    if (code === OPEN && isHexOrColon(text.charCodeAt(at + 1))) {
      ENDPOINT.lastIndex = at;
      if (ENDPOINT.test(text) && ENDPOINT.lastIndex <= end && take(this.source, at, ENDPOINT.lastIndex)) return ENDPOINT.lastIndex;
    }
    const closing = CLOSING[code];
    if (closing !== undefined) return this.#bracket(text, at, code === OPEN ? closingEnd(text, at) : text.indexOf(closing, at), end);
    if (code === HASH && text.startsWith('##[', at)) return this.#runner(text, at, end);
    return this.#word(text, at, end);
  }

  /** `##[error]`, as GitHub's runners write it; `##[group]` stays. */
  #runner(text: string, at: number, end: number): number {
    const close = text.indexOf(']', at);
    if (close < 0 || close >= end) return -1;
    return this.#isLevel(text, text.slice(at + 3, close), at + 3) ? close + 1 : -1;
  }

  #bracket(text: string, at: number, close: number, end: number): number {
    if (close < 0 || close >= end || close - at > LONGEST_PART) return -1;
    const code = text.charCodeAt(at);
    let from = at + 1;
    let to = close;
    while (from < to && isGap(text.charCodeAt(from))) from++;
    while (to > from && isGap(text.charCodeAt(to - 1))) to--;
    const content = text.slice(from, to);
    if (from === to || content === '(null)') return code === PARENTHESIS ? -1 : close + 1;
    if (code === PARENTHESIS && this.severity < 0 && Object.hasOwn(MARKS, content)) {
      this.severity = MARKS[content] as number;
      return close + 1;
    }
    const isPart =
      this.#isLevel(text, content, from) ||
      (!this.#named &&
        (this.#isContent(code, content, from, to) || (this.#isBeforeLevel(text, close + 1, end) && take(this.thread, from, to))));
    return isPart ? close + 1 : -1;
  }

  /** Takes a level in brackets, perhaps with a thread behind it. */
  #isLevel(text: string, content: string, from: number): boolean {
    if (this.severity >= 0) return false;
    const alone = kindOf(content).severity;
    if (alone >= 0 && content !== ARTICLE) {
      this.severity = alone;
      return true;
    }
    const [, first = '', behind = ''] = LEVEL_AND_MORE.exec(content) ?? [];
    const [, before = '', last = ''] = isLevelName(first) ? [] : (MORE_AND_LEVEL.exec(content) ?? []);
    const [word, rest] = last === '' ? [first, behind] : [last, before];
    const isJoined = last !== '' && JOINED.test(content) && !AMBIGUOUS.has(word.toLowerCase()) && kindOf(word).severity >= 0;
    if (!isJoined && !isLevelName(word)) return false;
    const { severity } = kindOf(word);
    this.severity = severity;
    const at = text.indexOf(rest, last === '' ? from + word.length : from);
    // A path of Rust's modules.
    take(rest.includes('::') ? this.component : this.thread, at, at + rest.length);
    return true;
  }

  /** Takes what stands between brackets and is no level. */
  #isContent(code: number, content: string, from: number, to: number): boolean {
    const { isSource, isThread, isMark, process } = kindOf(content);
    if (isSource) return take(this.source, from, to);
    if (ERROR_CODE.test(content)) return false;
    // FreeBSD's syslogd with -vv.
    if (code === LESS && this.#isFacility(content, from, to)) return true;
    if (code === PARENTHESIS && (this.severity < 0 || this.component.empty || isDigit(content.charCodeAt(0)))) return false;
    if (code === LESS && content.includes(' ')) return false;
    if (code === BRACE && /[:"=,]/.test(content)) return false;
    // A dash stands for a part that is missing.
    if (isMark) return content === '-';
    if (process >= 0 && code === OPEN && this.#isProcess(process)) return true;
    if (isThread || (code !== OPEN && code !== LESS)) return take(this.thread, from, to);
    return take(this.component, from, to) || take(this.thread, from, to);
  }

  /** Whether a word is in a column of its own, or stands before the level. */
  #isBeforePart(text: string, to: number, end: number): boolean {
    const code = text.charCodeAt(to);
    return code === TAB || code === PIPE || this.#isBeforeLevel(text, to, end);
  }

  /** Whether the next word is the first level of the header. */
  #isBeforeLevel(text: string, at: number, end: number): boolean {
    if (this.severity >= 0) return false;
    const next = this.#gapEnd(text, at, end);
    return isLevelWord(text.slice(next, wordEnd(text, next, end)));
  }

  #isProcess(pid: number): boolean {
    if (this.pid >= 0 || pid > MAX_PID) return false;
    this.pid = pid;
    return true;
  }

  #word(text: string, at: number, end: number): number {
    const to = this.#packed ? packedEnd(text, at, end) : wordEnd(text, at, end);
    if (to === at || to - at > LONGEST_PART) return -1;
    const word = text.slice(at, to);
    const kind = kindOf(word);
    const level = this.severity < 0 && kind.severity >= 0 ? this.#level(text, word, kind, to, end) : 0;
    if (level > 0) {
      this.#packed ||= text.charCodeAt(to) === COLON && !isGap(text.charCodeAt(to + 1));
      return this.#packed ? to + 1 : to;
    }
    if (level < 0 || this.#named) return -1;
    // The level once more, behind its first letter.
    if (this.#isLetter && kind.isCapitals && kind.severity === this.severity && !this.#wide) return to;
    if (this.#isFacility(word, at, to)) return to;
    if (kind.isNumber) return this.#number(text, word, to, end);
    if (this.#isHost(text, at, to)) return to;
    if (this.#isSlashed(word, to)) return to;
    if (UUID.test(word)) return this.#isBeforePart(text, to, end) && take(this.thread, at, to) ? to : -1;
    if (word.includes('=')) return this.#pair(word, at, to);
    const next = text.charCodeAt(to);
    if (next === OPEN) return this.#withProcess(text, word, at, to, end);
    if (next === COMMA && this.severity < 0) return this.#topics(text, at, end);
    if (kind.isSource && (this.severity >= 0 || next === COLON)) return take(this.source, at, to) ? to : -1;
    if (kind.isHexadecimal && this.severity < 0 && this.component.empty) return take(this.thread, at, to) ? to : -1;
    if (!kind.isName) return -1;
    if (next === COLON) return this.#beforeColon(text, at, to);
    return this.#isColumn(text, kind, at, to, end) && take(this.component, at, to) ? to : -1;
  }

  /** 1: the word is a level; 0: it is none; -1: it is one, and one of the words of the record too. */
  #level(text: string, word: string, { severity, isCapitals }: WordKind, to: number, end: number): -1 | 0 | 1 {
    const next = text.charCodeAt(to);
    const isEnd = to >= end || next === PIPE || next === COLON || next === COMMA || next === SEMICOLON || next === TAB || next === OPEN;
    const isApart = isEnd || this.#isMarked || APART.some((gap) => text.startsWith(gap, to));
    if (word.length === 1) {
      const follows = text.slice(to + 1, Math.min(end, to + 17));
      if (word.toUpperCase() !== word || !(isApart || /^(?:[A-Z]{3}|\[|\S*[\d.:_])/.test(follows) || /^[VDWEF]$/.test(word))) return 0;
      if (follows.startsWith('=')) return 0;
    } else if (!isCapitals) {
      if (AMBIGUOUS.has(word.toLowerCase()) && !(next === COLON && BEFORE_COLON.has(word))) return 0;
      if (!isApart) {
        if (!this.component.empty || !this.#smallLevels) return 0;
        this.severity = severity;
        return -1;
      }
    } else if (!isApart && IN_SENTENCE.has(word)) {
      this.severity = severity;
      return -1;
    }
    this.severity = severity;
    this.#isLetter = word.length === 1;
    return 1;
  }

  /** `daemon.info` */
  #isFacility(word: string, at: number, to: number): boolean {
    if (this.severity >= 0 || !FACILITY_WORD.test(word) || !take(this.facility, at, to)) return false;
    this.severity = severityOfWord(word.slice(word.indexOf('.') + 1));
    return true;
  }

  /** A machine: a program and its process follow, as in syslog. */
  #isHost(text: string, at: number, to: number): boolean {
    BEHIND_HOST.lastIndex = to;
    return this.component.empty && isGap(text.charCodeAt(to)) && BEHIND_HOST.test(text) && take(this.host, at, to);
  }

  /** `system,error,critical`: topics of MikroTik's RouterOS, of which some are levels. */
  #topics(text: string, at: number, end: number): number {
    const { length, severity } = topicsAt(text, at);
    if (length === 0 || at + length > end || !take(this.component, at, at + length)) return -1;
    this.severity = severity;
    this.#named = true;
    return at + length;
  }

  /** A name with a colon: the component, or the thread behind it. */
  #beforeColon(text: string, at: number, to: number): number {
    const isComponent = take(this.component, at, to);
    if (!isComponent && !(this.#packed && take(this.thread, at, to))) return -1;
    this.#named = !this.#packed || isGap(text.charCodeAt(to + 1));
    return to + 1;
  }

  /** `pid=4123`, `tid=ouv`, `class=PayJob`, as Sidekiq has them. */
  #pair(word: string, at: number, to: number): number {
    const [name = '', value = ''] = word.split('=', 2);
    const from = at + name.length + 1;
    if (name === 'pid' && kindOf(value).isNumber && this.#isProcess(Number(value))) return to;
    if (name === 'tid' || name === 'thread') return take(this.thread, from, to) ? to : -1;
    if (name === 'class' || name === 'logger') return take(this.component, from, to) ? to : -1;
    return -1;
  }

  /** `E/Tag`, as on Android, `critical/config`, and Telegraf's `E!`. */
  #isSlashed(word: string, to: number): boolean {
    const [, slashed = '', rest = '', level = slashed] = this.severity < 0 ? (SLASHED.exec(word) ?? []) : [];
    const severity = severityOfWord(level);
    if (level === '' || severity < 0) return false;
    this.severity = severity;
    return rest === '' || take(this.component, to - rest.length, to);
  }

  /** A process, where a level or another part follows. */
  #number(text: string, word: string, to: number, end: number): number {
    const next = this.#gapEnd(text, to, end);
    const isPart = text.startsWith('---', to + 1) || text.charCodeAt(next) === OPEN;
    const follows = text.slice(next, wordEnd(text, next, end));
    const isHeader =
      word.startsWith('#') ||
      isPart ||
      text.charCodeAt(to) === PIPE ||
      (follows !== '' && (kindOf(follows).severity >= 0 || kindOf(follows).isNumber));
    if (!isHeader) return -1;
    this.#isProcess(Number(word.replace('#', '')));
    return to;
  }

  /** `name[4123]:` */
  #withProcess(text: string, word: string, at: number, to: number, end: number): number {
    const close = text.indexOf(']', to);
    if (close < 0 || close >= end || close - to > LONGEST_PART || !PROGRAM_NAME.test(word)) return -1;
    const content = text.slice(to + 1, close);
    const { process, isName } = kindOf(content);
    const both = PROCESS_AND_THREAD.exec(content)?.[1];
    if (process < 0 && both === undefined && !(text.charCodeAt(close + 1) === COLON && isName)) return -1;
    if (!take(this.component, at, to)) return -1;
    if (process >= 0) this.#isProcess(process);
    else take(this.thread, to + 1, close);
    if (both !== undefined) this.#isProcess(Number(both));
    this.#named = text.charCodeAt(close + 1) === COLON;
    return this.#named ? close + 2 : close + 1;
  }

  /** Whether a name is a column of its own. */
  #isColumn(text: string, { isModule }: WordKind, at: number, to: number, end: number): boolean {
    const wide = this.#wide;
    const next = this.#gapEnd(text, to, end);
    const follows = text.charCodeAt(next);
    if (text.charCodeAt(to) === TAB) return this.source.empty;
    if (text.slice(to, next).includes('|')) return true;
    const word = text.slice(next, wordEnd(text, next, end));
    // Nagios writes SERVICE ALERT and HOST ALERT.
    const beforeLevel = this.severity < 0 && word !== 'ALERT' && isLevelWord(word);
    if (text.startsWith(' - ', to) || next - to > 1)
      return isModule || wide || beforeLevel || (text.startsWith(' - ', to) && this.severity >= 0);
    if (isModule && to - at > 2)
      return beforeLevel || (this.severity >= 0 && (follows === OPEN || follows === PARENTHESIS || follows === COLON));
    return beforeLevel && wide;
  }
}

function take(span: Span, from: number, to: number): boolean {
  if (!span.empty) return false;
  span.set(from, to);
  return true;
}

/** The bracket that closes the one at `at`, with other pairs between them; -1: there is none near. */
function closingEnd(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i <= at + LONGEST_PART; i++) {
    const code = text.charCodeAt(i);
    if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return i;
  }
  return -1;
}

function isHexOrColon(code: number): boolean {
  return code === COLON || isDigit(code) || (code >= 97 && code <= 102);
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}
