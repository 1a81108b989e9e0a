import { isIPv6 } from 'node:net';
import type { Keyed } from './keyed.ts';

/** Leading bits of an IPv4 address that stay, by its first number: those that say what kind of network it is of. */
const KEPT: Readonly<Record<number, number>> = { 0: 32, 100: 10, 127: 32, 169: 16, 172: 12, 192: 16 };
const [KEPT_ELSE, MULTICAST] = [8, 224];
/** The same of an IPv6 address. */
const KEPT_6 = 16;

/** Another IPv4 address. @returns the same text when it is none, or one that is the same on each machine */
export function otherIpv4(keyed: Keyed, text: string): string {
  const numbers = text.split('.').map(Number);
  const [first = 0] = numbers;
  if (numbers.some((number) => number > 255) || first >= MULTICAST) return text;
  const bits = numbers.map((number) => number.toString(2).padStart(8, '0')).join('');
  const made = keyed.address(bits, KEPT[first] ?? KEPT_ELSE);
  return [0, 8, 16, 24].map((at) => parseInt(made.slice(at, at + 8), 2)).join('.');
}

/** Another IPv6 address, in its long form; one that ends as an IPv4 address does still does. @returns the same text when it is none, or one that is the same on each machine */
export function otherIpv6(keyed: Keyed, text: string): string {
  const [, dotted] = /(?:^|:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(text) ?? [];
  if (dotted !== undefined) return text.slice(0, -dotted.length) + otherIpv4(keyed, dotted);
  if (!isIPv6(text)) return text;
  const [head = '', tail] = text.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const all = tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
  const bits = all.map((group) => parseInt(group, 16).toString(2).padStart(16, '0')).join('');
  if (/^0+1?$/.test(bits)) return text;
  const made = keyed.address(bits, KEPT_6);
  return all.map((_, at) => parseInt(made.slice(at * 16, at * 16 + 16), 2).toString(16)).join(':');
}

/** Another address of a network card of the same maker. */
export function otherMac(keyed: Keyed, text: string): string {
  const between = text[2] as string;
  const made = keyed.letters('mac', text.toLowerCase().replaceAll(between, ''), 6, '0123456789abcdef');
  return [text.slice(0, 8), made.slice(0, 2), made.slice(2, 4), made.slice(4)].join(between);
}
