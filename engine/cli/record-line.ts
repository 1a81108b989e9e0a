import { printable } from '../api/printable.ts';
import type { Message } from '../message/types.ts';
import { formatTimestamp } from '../message/timestamp.ts';
import { fieldText } from '../outputs/encode.ts';

/** Characters of a record that are shown. */
const SHOWN = 160;

/** A record as one line for people: its time, severity, text and fields, cut where it is long. */
export function recordLine({ timestamp, severity, payload, fields }: Message): string {
  const parts = [
    formatTimestamp(timestamp),
    ...(severity === undefined ? [] : [`<${severity}>`]),
    ...(payload === undefined ? [] : [payload]),
    ...fields.map(fieldText),
  ];
  const line = printable(parts.join(' ').replaceAll(/\s+/g, ' '));
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN - 1)}…`;
}
