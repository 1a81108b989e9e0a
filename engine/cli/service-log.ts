import type { InputNotice, NoticeLevel } from '../inputs/types.ts';
import { RareNotices } from '../base/time/rare-notices.ts';
import { NoticeCounts } from '../service/admin/notice-counts.ts';

/** Bits of `log_flags`. */
const DATE = 1;
const TIME = 2;

type Noted = Pick<InputNotice, 'level' | 'text'> & Partial<Pick<InputNotice, 'code' | 'subject'>>;

/** Writes the lines of a service's log, each after the date and time that `log_flags` asks for. */
export class ServiceLog {
  /** The notices so far, also those that were not written. */
  readonly counts = new NoticeCounts();
  readonly #write: (line: string, level: NoticeLevel) => void;
  readonly #flags: number;
  readonly #rare = new RareNotices<Noted>(({ level, text }) => this.line(level === 'info' ? text : `${level}: ${text}`, level));

  constructor(write: (line: string, level: NoticeLevel) => void, flags: number) {
    this.#write = write;
    this.#flags = flags;
  }

  line(text: string, level: NoticeLevel = 'info'): void {
    this.#write(`${stamp(new Date(), this.#flags)}${text}`, level);
  }

  /** Writes a notice; those of one code and plugin that come by the thousand are counted. */
  notice(notice: Noted): void {
    this.counts.count(notice);
    this.#rare.tell(notice);
  }

  /** Writes the counts of notices that were not written. */
  close(): void {
    this.#rare.close();
  }
}

/** Formats a time in local time with a trailing space: `2021/03/05 13:07:59 `. */
export function stamp(now: Date, flags: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())} `;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())} `;
  return `${flags & DATE ? date : ''}${flags & TIME ? time : ''}`;
}
