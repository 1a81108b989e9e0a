/** The line that an entry of a slow query log begins with: `# User@Host: app[app] @ dbone [192.0.2.10]  Id:  1234`. */
import { digits, integerIn } from '../../base/scan.ts';

const BEGIN = '# User@Host: ';
const AT = '] @ ';
const ID = 'Id:';
const LONGEST_NUMBER = 15;
const [NEWLINE, BLANK, OPEN, CLOSE] = [10, 32, 91, 93];

/** Reads such a line as most servers write it. */
export class UserLine {
  hasConnection = false;
  #hostFrom = 0;
  #hostTo = 0;
  #connectionFrom = 0;
  #connectionTo = 0;

  /** The position of the line end, or -1 when the line is of another form. */
  read(text: string, at: number, end: number): number {
    if (!text.startsWith(BEGIN, at)) return -1;
    const open = bracket(text, at + BEGIN.length, end, OPEN);
    const close = open < 0 ? -1 : bracket(text, open + 1, end, CLOSE);
    if (close < 0 || !text.startsWith(AT, close)) return -1;
    const nameFrom = skipBlanks(text, close + AT.length, end);
    const nameTo = nameEnd(text, nameFrom, end);
    const addressFrom = skipBlanks(text, nameTo, end) + 1;
    if (addressFrom >= end || text.charCodeAt(addressFrom - 1) !== OPEN) return -1;
    const addressTo = bracket(text, addressFrom, end, CLOSE);
    if (addressTo < 0) return -1;
    const hasAddress = addressTo > addressFrom;
    this.#hostFrom = hasAddress ? addressFrom : nameFrom;
    this.#hostTo = hasAddress ? addressTo : nameTo;
    return this.#readConnection(text, addressTo + 1, end);
  }

  #readConnection(text: string, at: number, end: number): number {
    const from = skipBlanks(text, at, end);
    this.hasConnection = from > at && text.startsWith(ID, from);
    if (!this.hasConnection) return from < end && text.charCodeAt(from) === NEWLINE ? from : -1;
    this.#connectionFrom = skipBlanks(text, from + ID.length, end);
    this.#connectionTo = digits(text, this.#connectionFrom, end);
    if (this.#connectionTo < 0 || this.#connectionTo - this.#connectionFrom > LONGEST_NUMBER) return -1;
    const to = skipBlanks(text, this.#connectionTo, end);
    return to < end && text.charCodeAt(to) === NEWLINE ? to : -1;
  }

  /** The address of the client, or its name when it has none. */
  host(text: string): string {
    return text.slice(this.#hostFrom, this.#hostTo);
  }

  /** The number of the connection, when there is one. */
  connection(text: string): number {
    return integerIn(text, this.#connectionFrom, this.#connectionTo);
  }
}

/** The position of the next bracket, if it is this one and in the line; else -1. */
function bracket(text: string, at: number, end: number, wanted: number): number {
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === wanted) return at;
    if (code === NEWLINE || code === OPEN || code === CLOSE) return -1;
  }
  return -1;
}

/** The end of a name of plain characters. */
function nameEnd(text: string, at: number, end: number): number {
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code <= BLANK || code > 126 || code === OPEN || code === CLOSE) break;
  }
  return at;
}

function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === BLANK) at++;
  return at;
}
