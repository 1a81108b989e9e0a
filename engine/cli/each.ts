import { printableJson } from '../api/printable.ts';

/** Formats one line of `--each`: the result of one input. */
export function eachLine(status: number, messages: readonly string[], error?: string): string {
  const reason = error === undefined ? '' : `,"error":${printableJson(JSON.stringify(error))}`;
  return `{"status":${status}${reason},"messages":[${messages.join(',')}]}\n`;
}
