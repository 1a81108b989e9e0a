/** Hosts as servers log them: IPv4 addresses, IPv6 addresses, names. */
import { hexValue, isDigit, isLetter } from '../base/scan.ts';

/** The form of a host; the representation of its field. */
export type HostForm = 'ipv4' | 'ipv6' | 'hostname' | 'unix';

const ZERO = 48;
const DOT = 46;
const COLON = 58;
const PERCENT = 37;
const [OPEN, CLOSE] = [91, 93];
const MAX_GROUPS = 8;
const UNIX = 'unix:';
const NAME_MARKS = "-._~!$&'()*+,;=";

/**
 * An IPv4 address, an IPv6 address, perhaps in brackets, or a registered name (RFC 3986, appendix A). The first form that fits is final:
 * `1.2.3.4.example.com` is the address 1.2.3.4.
 */
export function host(text: string, at: number, end: number): number {
  const v4 = ipv4(text, at, end);
  if (v4 >= 0) return v4;
  const v6 = ipv6(text, at, end);
  if (v6 >= 0) return v6;
  return text.charCodeAt(at) === OPEN ? bracketed(text, at, end) : hostname(text, at, end);
}

/** An IPv6 address in brackets. */
function bracketed(text: string, at: number, end: number): number {
  const to = ipv6(text, at + 1, end);
  return to >= 0 && to < end && text.charCodeAt(to) === CLOSE ? to + 1 : -1;
}

/** A host, or `unix:`: what a server logs as the client of a Unix socket. */
export function client(text: string, at: number, end: number): number {
  const to = at + UNIX.length;
  return to <= end && text.startsWith(UNIX, at) ? to : host(text, at, end);
}

/**
 * Scans hosts that `host` accepts only in part: a name that begins like an address, an IPv6 address with its zone, and the path of a Unix
 * socket.
 */
export function wholeHost(text: string, at: number, end: number): number {
  if (text.startsWith(UNIX, at)) return end;
  const address = ipv6(text, at, end);
  if (address >= 0 && address + 1 < end && text.charCodeAt(address) === PERCENT) return hostname(text, address + 1, end);
  return hostname(text, at, end);
}

/** The form of what `host`, `client` or `wholeHost` accepted as [from, to). */
export function hostForm(text: string, from: number, to: number): HostForm {
  if (text.charCodeAt(from) === OPEN) return 'ipv6';
  if (ipv4(text, from, to) === to) return 'ipv4';
  const colon = text.indexOf(':', from);
  if (colon < 0 || colon >= to) return 'hostname';
  return text.startsWith(UNIX, from) ? 'unix' : 'ipv6';
}

/** Four numbers 0 to 255 without leading zeros. */
export function ipv4(text: string, at: number, end: number): number {
  const second = nextOctet(text, octet(text, at, end), end);
  const to = nextOctet(text, nextOctet(text, second, end), end);
  return to <= end ? to : -1;
}

/** The same behind the dot at `at`. */
function nextOctet(text: string, at: number, end: number): number {
  return at >= 0 && text.charCodeAt(at) === DOT ? octet(text, at + 1, end) : -1;
}

/** The position behind a number from 0 to 255 without leading zeros; of a larger one, that behind its first two digits. */
function octet(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at) - ZERO;
  if (!(first >= 0 && first <= 9)) return -1;
  if (first === 0 || at + 1 >= end) return at + 1;
  const second = text.charCodeAt(at + 1) - ZERO;
  if (!(second >= 0 && second <= 9)) return at + 1;
  if (at + 2 >= end) return at + 2;
  const third = text.charCodeAt(at + 2) - ZERO;
  return third >= 0 && third <= 9 && first * 100 + second * 10 + third <= 255 ? at + 3 : at + 2;
}

/** Up to eight groups of hexadecimal digits, one run of zeros as `::`, the last two groups also as an IPv4 address. */
export function ipv6(text: string, at: number, end: number): number {
  let groups = 0;
  let limit = MAX_GROUPS;
  let to = at;
  if (text.charCodeAt(at) === COLON) {
    if (text.charCodeAt(at + 1) !== COLON) return -1;
    limit--;
    to += 2;
  }
  for (let next = to; groups < limit;) {
    const tail = groups + 2 <= limit && (limit < MAX_GROUPS || groups === MAX_GROUPS - 2) ? ipv4(text, next, end) : -1;
    if (tail >= 0) return tail;
    next = hexGroup(text, next, end);
    if (next < 0) break;
    to = next;
    groups++;
    if (groups === limit || to >= end || text.charCodeAt(to) !== COLON) break;
    next = to + 1;
    if (limit === MAX_GROUPS && text.charCodeAt(next) === COLON) {
      limit--;
      next++;
      to = next;
    }
  }
  return to <= end && (groups === limit || limit < MAX_GROUPS) ? to : -1;
}

/** One to four hexadecimal digits. */
function hexGroup(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && to < at + 4 && hexValue(text.charCodeAt(to)) >= 0) to++;
  return to === at ? -1 : to;
}

/** Letters, digits, `-._~!$&'()*+,;=` and `%` with two hexadecimal digits, at least one. */
export function hostname(text: string, at: number, end: number): number {
  let to = at;
  for (; to < end; to++) {
    const code = text.charCodeAt(to);
    if (isLetter(code) || isDigit(code) || NAME_MARKS.includes(text.charAt(to))) continue;
    if (code !== PERCENT || to + 2 >= end || hexValue(text.charCodeAt(to + 1)) < 0 || hexValue(text.charCodeAt(to + 2)) < 0) break;
    to += 2;
  }
  return to === at ? -1 : to;
}
