import { headerNamed } from '../api/headers.ts';

/** First byte of a record of a framed stream. */
const RECORD_SEPARATOR = 0x1e;
const FIRST_LINE = /^\s*(.+)(\r?\n)?/u;
const FIRST_KEY = /^\{\s*"([^"\\]+)"\s*:/;

/** Tells a framed stream and messages as JSON from a log, by the first bytes. Nothing is no log. */
export function formOf(head: Buffer): 'protobuf' | 'json' | 'log' {
  if (head.includes(RECORD_SEPARATOR)) return 'protobuf';
  const [, line = '', end] = FIRST_LINE.exec(textOf(head).replace(/^\uFEFF/, '')) ?? [];
  if (line === '') return 'json';
  return ((end === undefined ? null : keysOf(line))?.every(isKey) ?? isKey(FIRST_KEY.exec(line)?.[1] ?? '')) ? 'json' : 'log';
}

const textOf = (head: Buffer): string => head.toString(head[0] === 0xff && head[1] === 0xfe ? 'utf16le' : 'utf8');

/** The keys of an object; null: it is none, or not a whole one. */
function keysOf(line: string): string[] | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : null;
  } catch {
    return null;
  }
}

/** A key of a message, or of a tick. */
const isKey = (key: string): boolean => key === 'Fields' || key === 'timer' || headerNamed(key) !== undefined;
