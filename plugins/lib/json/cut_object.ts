/** JSON objects that their input cut off. */
import type { ExactObject } from '../../modules/json.ts';

const [QUOTE, BACKSLASH, OPEN] = [34, 92, 123];
const MEBIBYTE = 1 << 20;
/** Inputs cut records of 1 MiB; with characters of several bytes they are shorter. */
export const CUT_LENGTH = 1 << 18;

/** The field `decode_error` of a record that its input cut, and that was read as far as it goes. */
export const cutError = ({ length }: string): string => `cut at ${(length / MEBIBYTE).toFixed(1).replace(/\.0$/, '')} MiB`;

/** The members of an object that was cut off, up to the last one that is whole; null when there is none. */
export function cutObject(text: string): string | null {
  if (text.charCodeAt(0) !== OPEN) return null;
  const open: string[] = [];
  /** The end of the last whole member, and what closes the objects and lists around it. */
  let [end, closing] = [-1, ''];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      for (at++; at < text.length && text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++;
    } else if (character === '{' || character === '[') open.push(character === '{' ? '}' : ']');
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') [end, closing] = [at, open.toReversed().join('')];
  }
  return end < 0 ? null : text.slice(0, end) + closing;
}

/** Characters at the beginning of a record in which a time of its inner objects is looked for. */
const BEGINNING = 1 << 14;
/** A member whose value is as long as a time. */
const MEMBER = /"([^"\\]{1,40})"\s*:\s*(?:"([^"\\]{8,40})"|(\d{9,19}(?:\.\d+)?)[,}\s])/g;

/** The object with the first time of the objects within it, when it has none itself. */
export function withInnerTime(object: ExactObject, text: string, isTime: (name: string) => boolean): ExactObject {
  if (Object.keys(object).some(isTime)) return object;
  for (const [, name = '', written, number] of text.slice(0, BEGINNING).matchAll(MEMBER))
    if (isTime(name)) return { ...object, [name]: written ?? Number(number) };
  return object;
}
