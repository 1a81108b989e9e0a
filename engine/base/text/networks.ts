/**
 * Networks of IP addresses in CIDR notation (RFC 4632, RFC 4291): `10.0.0.0/8`, `2001:db8::/32`, an address alone, and lists of them with commas.
 * An IPv4 address written as IPv6 (`::ffff:10.1.2.3`) is the IPv4 address. Zones (`fe80::1%eth0`) do not count.
 */

/** A list of networks. */
export interface Networks {
  /** As it was written. */
  readonly source: string;
  /** Whether `text.slice(start, end)` is an address of one of the networks. */
  readonly contains: (text: string, start: number, end: number) => boolean;
}

/** A text that is no list of networks. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Place of the part that is wrong. */
  readonly at: number;
  readonly part: string;

  constructor(message: string, at: number, part: string) {
    super(message);
    this.at = at;
    this.part = part;
  }
}

/** An address: four words of 32 bits; of IPv4 only the last counts. */
interface Address {
  readonly isV4: boolean;
  readonly words: Uint32Array;
}

/** A network, whose words are masked. */
export interface Network extends Address {
  readonly masks: Uint32Array;
  /** Bits of its prefix, of the 128 of its words: those of IPv4 are 96 more than they are written. */
  readonly length: number;
}

const [DOT, ZERO, NINE, COLON] = [46, 48, 57, 58];
const WORD_BITS = 32;

/** The address that was read last. */
const address = new Uint32Array(4);
let isV4 = false;

/**
 * Parses a list of networks.
 * @throws {NetworkError}
 */
export function parseNetworks(source: string): Networks {
  const networks: Network[] = [];
  let at = 0;
  for (const piece of source.split(',')) {
    const part = piece.trim();
    networks.push(parseNetwork(part, at + piece.indexOf(part)));
    at += piece.length + 1;
  }
  return { source, contains: (text, start, end) => readAddress(text, start, end) && networks.some(holds) };
}

/** The address that a text is; null: it is none. The next call fills the same words. */
export function addressOf(text: string): Address | null {
  return readAddress(text, 0, text.length) ? { isV4, words: address } : null;
}

function holds(network: Network): boolean {
  if (network.isV4 !== isV4) return false;
  for (let i = isV4 ? 3 : 0; i < 4; i++) {
    if (((address[i] as number) & (network.masks[i] as number)) >>> 0 !== network.words[i]) return false;
  }
  return true;
}

/**
 * Parses one network, or an address, which is a network of itself.
 * @param at its place in a longer text, for the error
 * @throws {NetworkError}
 */
export function parseNetwork(part: string, at = 0): Network {
  const slash = part.indexOf('/');
  const end = slash < 0 ? part.length : slash;
  const bits = part.slice(end + 1);
  if (!readAddress(part, 0, end)) throw new NetworkError('an address is written 10.1.2.3 or 2001:db8::1, a network 10.0.0.0/8', at, part);
  const isMapped = isV4 && part.includes(':');
  const most = isV4 && !isMapped ? WORD_BITS : 4 * WORD_BITS;
  const least = isMapped ? 3 * WORD_BITS : 0;
  const length = slash < 0 ? most : Number(bits);
  if (slash >= 0 && (!/^\d{1,3}$/.test(bits) || length > most || length < least)) {
    throw new NetworkError(`the number behind the slash is ${least} to ${most}`, at, part);
  }
  const whole = length + (isV4 && !isMapped ? 3 * WORD_BITS : 0);
  const masks = masksOf(whole);
  return { isV4, masks, length: whole, words: address.map((word, i) => (word & (masks[i] as number)) >>> 0) };
}

/** The masks of a network of so many bits. */
function masksOf(length: number): Uint32Array {
  return Uint32Array.from({ length: 4 }, (_, i) => {
    const bits = Math.max(0, Math.min(WORD_BITS, length - i * WORD_BITS));
    return bits === 0 ? 0 : (0xffffffff << (WORD_BITS - bits)) >>> 0;
  });
}

/** Reads `text.slice(start, end)` into `address` and `isV4`. Returns whether it is an address. */
function readAddress(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === COLON) return readV6(text, start, end);
    if (code === DOT) break;
  }
  const value = v4Value(text, start, end);
  if (value < 0) return false;
  setV4(value);
  return true;
}

function setV4(value: number): void {
  address.fill(0);
  address[3] = value;
  isV4 = true;
}

/** The value of four decimal numbers with dots between them; -1: it is none. */
function v4Value(text: string, start: number, end: number): number {
  let value = 0;
  let at = start;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && (at >= end || text.charCodeAt(at++) !== DOT)) return -1;
    const from = at;
    let number = 0;
    while (at < end && at - from < 3) {
      const code = text.charCodeAt(at);
      if (code < ZERO || code > NINE) break;
      number = number * 10 + code - ZERO;
      at++;
    }
    // A zero in front makes it octal for some.
    if (at === from || number > 255 || (at - from > 1 && text.charCodeAt(from) === ZERO)) return -1;
    value = value * 256 + number;
  }
  return at === end ? value : -1;
}

const LONGEST_V6 = 45;

function readV6(text: string, start: number, to: number): boolean {
  const zone = text.indexOf('%', start);
  const end = zone >= 0 && zone < to ? zone : to;
  if (end - start > LONGEST_V6) return false;
  const [head = '', tail, more] = text.slice(start, end).split('::');
  if (more !== undefined) return false;
  const front = groupsOf(head, tail === undefined);
  const back = tail === undefined ? [] : groupsOf(tail, true);
  if (front === null || back === null) return false;
  const missing = 8 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return false;
  const groups = [...front, ...Array.from({ length: missing }, () => 0), ...back];
  for (let i = 0; i < 4; i++) address[i] = (groups[2 * i] as number) * 65_536 + (groups[2 * i + 1] as number);
  isV4 = address[0] === 0 && address[1] === 0 && address[2] === 0xffff;
  if (isV4) setV4(address[3] as number);
  return true;
}

/** The groups of a piece of an IPv6 address; null: it is none. @param mayEndAsV4 its last group may be an IPv4 address */
function groupsOf(piece: string, mayEndAsV4: boolean): number[] | null {
  if (piece === '') return [];
  const groups: number[] = [];
  const parts = piece.split(':');
  for (const [i, part] of parts.entries()) {
    if (/^[\da-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16));
    else {
      const value = mayEndAsV4 && i === parts.length - 1 ? v4Value(part, 0, part.length) : -1;
      if (value < 0) return null;
      groups.push(Math.floor(value / 65_536), value % 65_536);
    }
  }
  return groups;
}
