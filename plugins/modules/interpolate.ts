/**
 * Texts with `%{…}` in them. A name between the braces is replaced by the first of these that exists:
 *
 * 1. the header Type, Hostname, Logger, EnvVersion or UUID, empty when it is not set; Pid, 0 when it is not set; Severity, 7 when it is not set;
 * 2. the first value of the first field of that name;
 * 3. the time in UTC, when it is a format of `strftime` such as `%Y.%m.%d`.
 *
 * Otherwise it stays as it is written.
 */
import { checkList, checkNumber, checkString } from '../base/arguments.ts';
import { DateFormat } from './date_format.ts';
import { valueText } from '../base/fields.ts';
import { unitsIn } from '../base/instant.ts';

const SECOND = 1e9;
const PLACE = /%\{([^}]*)\}/g;
const TEXT_HEADERS = ['Type', 'Hostname', 'Logger', 'EnvVersion'];
/** The numbers that messages without them have. */
const UNSET = { Pid: 0, Severity: 7 };

/** Gives the text for the current message. */
type Part = (seconds: number) => string;

/** A text with places for what the current message holds. */
export class Template {
  readonly #parts: readonly (Part | string)[];

  /** `further` are other headers with a text, such as Payload, that names may stand for. */
  constructor(text: string, further: readonly string[] = []) {
    checkString('Template', 1, text);
    checkList('Template', 2, further);
    const headers = [...TEXT_HEADERS, ...further];
    const parts: (Part | string)[] = [];
    let at = 0;
    for (const place of text.matchAll(PLACE)) {
      parts.push(text.slice(at, place.index), placeFor(place[1] as string, place[0], headers));
      at = place.index + place[0].length;
    }
    this.#parts = [...parts, text.slice(at)].filter((part) => part !== '');
  }

  /** The text for the current message; `seconds` since 1970 is the time that time patterns stand for. */
  text(seconds: number): string {
    checkNumber('text', 1, seconds);
    let text = '';
    for (const part of this.#parts) text += typeof part === 'string' ? part : part(seconds);
    return text;
  }
}

function placeFor(name: string, written: string, headers: readonly string[]): Part {
  if (name === 'Pid' || name === 'Severity') return () => String(read_message(name) ?? UNSET[name]);
  if (headers.includes(name)) return () => headerText(name);
  if (name === 'UUID') return () => headerText('Uuid');
  const variable = `Fields[${name}]`;
  const date = new DateFormat(name);
  return (seconds) => {
    const value = read_message(variable);
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return String(read_integer(variable) ?? valueText(value));
    if (value !== null) return valueText(value);
    const time = date.text(seconds);
    return time === name ? written : time;
  };
}

function headerText(name: string): string {
  return (read_message(name) as string | null) ?? '';
}

/** The system's time in seconds since 1970. */
export function systemSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** The current message's Timestamp in whole seconds since 1970. */
export function messageSeconds(): number {
  return unitsIn(read_integer('Timestamp') ?? 0n, SECOND);
}
