/** Headers that some programs write in a layout of their own: .NET's console, logrus on a terminal, Samba, SAP HANA, WebSphere, Python's rich. */
import { isDigit } from '../../base/scan.ts';
import { severityOfWord } from './severity.ts';
import { Span } from '../syslog/syslog_line.ts';

/** `info: Microsoft.Hosting.Lifetime[14]`, all of the line, or with the words behind it. */
const DOTNET = /(info|warn|fail|crit|dbug|trce): ([\w.+`-]+)\[(\d{1,9})\](?: |\r?(?:\n|$))/y;
/** `ERRO[0013] `: seconds since the program's start. */
const LOGRUS = /(INFO|WARN|ERRO|FATA|PANI|DEBU|TRAC)\[(\d{4,9})\] */y;
/** `3.26.283.214 I srv                      main: `: minutes, seconds, milliseconds and microseconds since the start of llama.cpp. */
const LLAMA = /(\d{1,6})\.([0-5]\d)\.(\d{3})\.(\d{3}) ([DIWE]) (?:([a-z]\w{0,30}) {1,40})?/dy;
/** `,  3, pid=4123, effective(0, 0), real(0, 0), class=auth] ../source3/smbd/server.c:1234(main)`, behind the date. */
const SAMBA =
  /, {1,2}(\d{1,2})(?:, pid=(\d{1,9})(?:, (?:effective|real)\(\d+, \d+\)){0,2}(?:, class=(\w+))?)?\] ?(\S+\.[ch]:\d+\(\w+\))?/dy;
/** ` e SQLSession       sm_handler.cc(00571) : `, behind the date. */
const HANA = / ([diwef]) (\S{1,60}) {1,60}([\w.-]+\.\w{1,4}\(\d{1,7}\)) : /dy;
/** `INFO     `, behind the time or below it: levels of rich are in a column of nine characters. Places in the source end the line, in a column too. */
const RICH = / {1,30}(DEBUG {4}|INFO {5}|WARNING {2}|ERROR {4}|CRITICAL )(?=\S)/y;
const RICH_SOURCE = / {1,200}([\w-]{1,60}\.py:\d{1,6}) {0,9}$/d;
/** `] 0000002a ServletWrappe E `, behind the date: thread, component and level of WebSphere and Liberty. */
const WEBSPHERE = /\] ([\da-f]{8}) ([\w.$-]{1,200}) {1,60}([FEWAICDOR123<>]) {1,4}(?=\S)/dy;
const WEBSPHERE_LEVELS: Readonly<Record<string, number>> = {
  F: 2,
  E: 3,
  W: 4,
  A: 5,
  I: 6,
  C: 6,
  O: 6,
  D: 7,
  '1': 7,
  '2': 7,
  '3': 7,
  '<': 7,
  '>': 7,
};
/** The end of a bracket around the time, and blanks. */
const BEHIND_TIME = /\]? ?/y;
/** Severities of Samba's levels: error, warning, notice, information. */
const SAMBA_LEVELS: Readonly<Record<number, number>> = { 0: 3, 1: 4, 2: 5, 3: 5, 4: 6, 5: 6 };
const DEBUG = 7;
const BRACKET = '[';

/** Reads one header at a time. Parts that it does not have are empty or -1. */
export class ProgramHeader {
  severity = -1;
  pid = -1;
  event = -1;
  /** Seconds since the start of the program. */
  uptime = -1;
  readonly component = new Span();
  readonly source = new Span();
  readonly thread = new Span();
  /** The words, where columns are around them: the lines without these. */
  words: string | null = null;

  /** The position of the words behind the header at `at`, or -1 when none of these programs wrote it. `time` is where the date begins, or -1. */
  read(text: string, at: number, time: number): number {
    this.severity = this.pid = this.event = this.uptime = -1;
    this.component.set(0, 0);
    this.source.set(0, 0);
    this.thread.set(0, 0);
    this.words = null;
    const isBracket = text.charAt(time - 1) === BRACKET && isDigit(text.charCodeAt(time));
    const rich = time < 0 || isBracket ? this.#rich(text, isBracket ? at + 1 : at) : -1;
    if (rich >= 0) return rich;
    if (time < 0) {
      const logrus = matchAt(LOGRUS, text, at);
      if (logrus !== null) {
        this.severity = severityOfWord(logrus[1] as string);
        this.uptime = Number(logrus[2]);
        return LOGRUS.lastIndex;
      }
      const llama = this.#llama(text, at);
      if (llama >= 0) return llama;
    } else if (isBracket) {
      const samba = this.#samba(text, at);
      if (samba >= 0) return samba;
      const websphere = this.#websphere(text, at);
      if (websphere >= 0) return websphere;
    }
    const hana = time < 0 ? -1 : this.#hana(text, at);
    return hana < 0 ? this.#dotnet(text, at) : hana;
  }

  #llama(text: string, at: number): number {
    const found = isDigit(text.charCodeAt(at)) ? matchAt(LLAMA, text, at) : null;
    if (found === null) return -1;
    const [, minutes, seconds, milliseconds, microseconds, level = ''] = found;
    this.severity = severityOfWord(level);
    this.uptime = Number(minutes) * 60 + Number(`${seconds}.${milliseconds}${microseconds}`);
    const component = found.indices?.[6];
    if (component !== undefined) this.component.set(...component);
    return LLAMA.lastIndex;
  }

  #websphere(text: string, at: number): number {
    const found = matchAt(WEBSPHERE, text, at);
    if (found === null) return -1;
    this.severity = WEBSPHERE_LEVELS[found[3] as string] ?? -1;
    const [thread, component] = [found.indices?.[1], found.indices?.[2]];
    if (thread !== undefined) this.thread.set(...thread);
    if (component !== undefined) this.component.set(...component);
    return WEBSPHERE.lastIndex;
  }

  #hana(text: string, at: number): number {
    const found = matchAt(HANA, text, at);
    if (found === null) return -1;
    this.severity = severityOfWord(found[1] as string);
    const [component, source] = [found.indices?.[2], found.indices?.[3]];
    if (component !== undefined) this.component.set(...component);
    if (source !== undefined) this.source.set(...source);
    return HANA.lastIndex;
  }

  /** @param at behind the bracket of the time */
  #rich(text: string, at: number): number {
    const found = matchAt(RICH, text, at);
    if (found === null) return -1;
    this.severity = severityOfWord((found[1] as string).trimEnd());
    const words = RICH.lastIndex;
    const lineEnd = text.indexOf('\n', words);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const [, place] = RICH_SOURCE.exec(text.slice(words, end))?.indices ?? [];
    if (place !== undefined) this.source.set(words + place[0], words + place[1]);
    const first = text.slice(words, place === undefined ? end : words + place[0]).trimEnd();
    const indent = text.slice(0, words).replace(/\S/g, ' ');
    this.words =
      first +
      text
        .slice(end)
        .replaceAll(`\n${indent}`, '\n')
        .replaceAll(/ +(?=\n|$)/g, '');
    return words;
  }

  #dotnet(text: string, at: number): number {
    BEHIND_TIME.lastIndex = at;
    BEHIND_TIME.test(text);
    const from = BEHIND_TIME.lastIndex;
    const found = matchAt(DOTNET, text, from);
    if (found === null) return -1;
    const [, level = '', name = '', event] = found;
    this.severity = severityOfWord(level);
    this.component.set(from + level.length + 2, from + level.length + 2 + name.length);
    this.event = Number(event);
    return DOTNET.lastIndex;
  }

  #samba(text: string, at: number): number {
    const found = matchAt(SAMBA, text, at);
    if (found === null) return -1;
    this.severity = SAMBA_LEVELS[Number(found[1])] ?? DEBUG;
    if (found[2] !== undefined) this.pid = Number(found[2]);
    const [component, source] = [found.indices?.[3], found.indices?.[4]];
    if (component !== undefined) this.component.set(...component);
    if (source !== undefined) this.source.set(...source);
    return SAMBA.lastIndex;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
