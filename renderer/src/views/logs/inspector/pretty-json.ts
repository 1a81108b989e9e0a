import type { Found } from './pretty.ts';

const INDENT = '  ';
/** Objects and arrays that fit on a line stay on it. */
const SHORT = 60;
const DEEPEST = 60;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const WORD = /[^\s,:{}[\]"]+/y;
const SPACE = /\s*/y;

/**
 * The object or array of JSON that begins at a place, laid out in lines: its tokens are as they were written, so that long numbers and repeated names
 * stay. null: there is none, an empty or short one, or a number alone in brackets.
 */
export function prettyJson(text: string, start: number): Found | null {
  const end = closingEnd(text, start);
  if (end < 0 || end - start < 8) return null;
  const source = text.slice(start, end);
  try {
    const value: unknown = JSON.parse(source);
    const [first, ...others] = Object.values(value as object) as unknown[];
    // A number alone in brackets is a time, or a place.
    if (first === undefined || (Array.isArray(value) && others.length === 0 && typeof first === 'number')) return null;
  } catch {
    return null;
  }
  return { text: laidOut(source), end };
}

/** The end of the brackets that open at a place; -1: they do not close, or are too deep. */
function closingEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      STRING.lastIndex = at;
      const found = STRING.exec(text);
      if (found === null) return -1;
      at += found[0].length - 1;
    } else if (character === '{' || character === '[') {
      if (++depth > DEEPEST) return -1;
    } else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return -1;
}

/** @param source valid JSON */
function laidOut(source: string): string {
  let out = '';
  let depth = 0;
  for (let at = skip(source, 0); at < source.length; at = skip(source, at)) {
    const character = source.charAt(at);
    if (character === '{' || character === '[') {
      const end = closingEnd(source, at);
      const inline = onOneLine(source.slice(at, end));
      if (depth > 0 && inline.length <= SHORT) {
        out += inline;
        at = end;
        continue;
      }
      depth++;
      out += `${character}\n${INDENT.repeat(depth)}`;
    } else if (character === '}' || character === ']') {
      depth--;
      out += `\n${INDENT.repeat(depth)}${character}`;
    } else if (character === ',') out += `,\n${INDENT.repeat(depth)}`;
    else if (character === ':') out += ': ';
    else {
      const token = tokenAt(source, at);
      out += token;
      at += token.length;
      continue;
    }
    at++;
  }
  return out;
}

function onOneLine(source: string): string {
  if (source.length > 4 * SHORT) return source;
  let out = '';
  for (let at = skip(source, 0); at < source.length; at = skip(source, at)) {
    const token = tokenAt(source, at);
    out += token === ',' || token === ':' ? `${token} ` : token;
    at += token.length;
  }
  return out;
}

function tokenAt(source: string, at: number): string {
  const token = source.charAt(at) === '"' ? STRING : WORD;
  token.lastIndex = at;
  return token.exec(source)?.[0] ?? source.charAt(at);
}

function skip(source: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(source)?.[0].length ?? 0);
}
