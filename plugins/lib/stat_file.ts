/** Contents of statistics files of the Linux kernel: what their decoders have in common. */
import { digits, isSpace } from '../base/scan.ts';

/** The path of the file that the current message was read from, from its field FilePath; null when it has none. */
export function filePath(): string | null {
  const path = read_message('Fields[FilePath]');
  return typeof path === 'string' ? path : null;
}

/** The end of a whole number that stands behind any white space, or -1. */
export function spacedDigits(text: string, at: number, end: number): number {
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return digits(text, at, end);
}

/** The value of what `spacedDigits` accepted as [from, to). */
export function spacedNumber(text: string, from: number, to: number): number {
  return Number(text.slice(from, to));
}
