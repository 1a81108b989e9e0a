import type { InputNotice } from '../inputs/types.ts';

/** Bits of `log_flags`. */
const DATE = 1;
const TIME = 2;

/** Writes the lines of a service's log, each after the date and time that `log_flags` asks for. */
export class ServiceLog {
  readonly #write: (line: string) => void;
  readonly #flags: number;

  constructor(write: (line: string) => void, flags: number) {
    this.#write = write;
    this.#flags = flags;
  }

  line(text: string): void {
    this.#write(`${stamp(new Date(), this.#flags)}${text}`);
  }

  notice({ level, text }: Pick<InputNotice, 'level' | 'text'>): void {
    this.line(level === 'info' ? text : `${level}: ${text}`);
  }
}

/** Formats a time in local time with a trailing space: `2021/03/05 13:07:59 `. */
export function stamp(now: Date, flags: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())} `;
  const time = `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())} `;
  return `${flags & DATE ? date : ''}${flags & TIME ? time : ''}`;
}
