/** The line that an entry of a slow query log begins with: `# User@Host: app[app] @ dbone [192.0.2.10]  Id:  1234`. */
import { isDigit } from '../../base/scan.ts';
import { stands, type Units } from '../record_units.ts';

const BEGIN = '# User@Host: ';
const AT = '] @ ';
const ID = 'Id:';
const LONGEST_NUMBER = 15;
const [NEWLINE, BLANK, ZERO, OPEN, CLOSE] = [10, 32, 48, 91, 93];

/** Reads such a line as most servers write it. */
export class UserLine {
  hasConnection = false;
  /** The number of the connection, when there is one. */
  connection = 0;
  /** The address of the client, or its name when it has none, is [hostFrom, hostTo). */
  hostFrom = 0;
  hostTo = 0;

  /** The position of the line end, or -1 when the line is of another form. */
  read(units: Units, at: number, end: number): number {
    if (!stands(BEGIN, units, at)) return -1;
    const open = bracket(units, at + BEGIN.length, end, OPEN);
    const close = open < 0 ? -1 : bracket(units, open + 1, end, CLOSE);
    if (close < 0 || !stands(AT, units, close)) return -1;
    const nameFrom = skipBlanks(units, close + AT.length, end);
    const nameTo = nameEnd(units, nameFrom, end);
    const addressFrom = skipBlanks(units, nameTo, end) + 1;
    if (addressFrom >= end || units[addressFrom - 1] !== OPEN) return -1;
    const addressTo = bracket(units, addressFrom, end, CLOSE);
    if (addressTo < 0) return -1;
    const hasAddress = addressTo > addressFrom;
    this.hostFrom = hasAddress ? addressFrom : nameFrom;
    this.hostTo = hasAddress ? addressTo : nameTo;
    return this.#readConnection(units, addressTo + 1, end);
  }

  #readConnection(units: Units, at: number, end: number): number {
    const from = skipBlanks(units, at, end);
    this.hasConnection = from > at && stands(ID, units, from);
    if (!this.hasConnection) return from < end && units[from] === NEWLINE ? from : -1;
    const first = skipBlanks(units, from + ID.length, end);
    let last = first;
    this.connection = 0;
    for (; last < end && isDigit(units[last] as number); last++) this.connection = this.connection * 10 + (units[last] as number) - ZERO;
    if (last === first || last - first > LONGEST_NUMBER) return -1;
    const to = skipBlanks(units, last, end);
    return to < end && units[to] === NEWLINE ? to : -1;
  }
}

/** The position of the next bracket, if it is this one and in the line; else -1. */
function bracket(units: Units, at: number, end: number, wanted: number): number {
  for (; at < end; at++) {
    const code = units[at] as number;
    if (code === wanted) return at;
    if (code === NEWLINE || code === OPEN || code === CLOSE) return -1;
  }
  return -1;
}

/** The end of a name of plain characters. */
function nameEnd(units: Units, at: number, end: number): number {
  for (; at < end; at++) {
    const code = units[at] as number;
    if (code <= BLANK || code > 126 || code === OPEN || code === CLOSE) break;
  }
  return at;
}

function skipBlanks(units: Units, at: number, end: number): number {
  while (at < end && units[at] === BLANK) at++;
  return at;
}
