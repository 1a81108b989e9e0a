import { messageOf } from '../base/errors.ts';
import { parseMessage, parseTimer } from '../message/json/json-parse.ts';
import type { Message } from '../message/types.ts';

/** Parsed input line: a message, the time of a tick in nanoseconds, or the reason why it is neither. */
export type JsonLine = Message | bigint | string;

const TIMER = /^\s*\{\s*"timer"\s*:/;

/** Reads a line that holds a message, as `decode` prints them, or `{"timer":"ns"}`. */
export function parseJsonLine(line: string): JsonLine {
  try {
    return TIMER.test(line) ? parseTimer(line) : parseMessage(line);
  } catch (error) {
    return messageOf(error);
  }
}
