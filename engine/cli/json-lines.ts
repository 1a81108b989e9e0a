import { messageOf } from '../errors.ts';
import { parseMessage } from '../message/json-parse.ts';
import type { Message } from '../message/types.ts';

/** What an input line says: a message, the time of a tick (nanoseconds), or why it is neither. */
export type JsonLine = Message | bigint | string;

const TIMER = /^\s*\{\s*"timer"\s*:\s*("?)(-?\d{1,19})\1\s*\}\s*$/;

/** Reads a line that holds a message, as `decode` prints them, or `{"timer":"ns"}`. */
export function parseJsonLine(line: string): JsonLine {
  const timer = TIMER.exec(line)?.[2];
  if (timer !== undefined) return BigInt.asIntN(64, BigInt(timer));
  try {
    return parseMessage(line);
  } catch (error) {
    return messageOf(error);
  }
}
