/** Headers that some programs write in a layout of their own: .NET's console, logrus on a terminal, Samba. */
import { isDigit } from '../base/scan.ts';
import { severityOfWord } from './severity.ts';
import { Span } from './syslog_line.ts';

/** `info: Microsoft.Hosting.Lifetime[14]`, all of the line. */
const DOTNET = /(info|warn|fail|crit|dbug|trce): ([\w.+`-]+)\[(\d{1,9})\]\r?(?:\n|$)/y;
/** `ERRO[0013] `: seconds since the program's start. */
const LOGRUS = /(INFO|WARN|ERRO|FATA|PANI|DEBU|TRAC)\[(\d{4,9})\] */y;
/** `,  3, pid=4123, effective(0, 0), real(0, 0), class=auth] ../source3/smbd/server.c:1234(main)`, behind the date. */
const SAMBA =
  /, {1,2}(\d{1,2})(?:, pid=(\d{1,9})(?:, (?:effective|real)\(\d+, \d+\)){0,2}(?:, class=(\w+))?)?\] ?(\S+\.[ch]:\d+\(\w+\))?/dy;
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

  /** The position of the words behind the header at `at`, or -1 when none of these programs wrote it. `time` is where the date begins, or -1. */
  read(text: string, at: number, time: number): number {
    this.severity = this.pid = this.event = this.uptime = -1;
    this.component.set(0, 0);
    this.source.set(0, 0);
    if (time < 0) {
      const logrus = matchAt(LOGRUS, text, at);
      if (logrus !== null) {
        this.severity = severityOfWord(logrus[1] as string);
        this.uptime = Number(logrus[2]);
        return LOGRUS.lastIndex;
      }
    } else if (text.charAt(time - 1) === BRACKET && isDigit(text.charCodeAt(time))) {
      const samba = this.#samba(text, at);
      if (samba >= 0) return samba;
    }
    return this.#dotnet(text, at);
  }

  #dotnet(text: string, at: number): number {
    const from = text.charAt(at) === ' ' ? at + 1 : at;
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
