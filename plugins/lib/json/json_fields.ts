/** Members of an object of JSON as the fields of a message. */
import { utf8Text } from '../../base/utf8_text.ts';
import { flatten, numberText, type ExactObject, type FieldContent } from '../../modules/json.ts';
import type { LogMessage } from '../../modules/table_writer.ts';
import type { RecordMessage } from '../record_message.ts';
import { withInstant } from './json_instant.ts';

/** Adds the members of an object, whose text is `line`. False when it is nested too deeply. */
export function addMembers(message: RecordMessage, record: ExactObject, line: string): boolean {
  const isJournal = typeof record['__REALTIME_TIMESTAMP'] === 'string';
  try {
    flatten(withInstant(record), (name, found, isJson) => {
      const value = isJournal && (isJson || typeof found === 'object') ? wordsOf(name, found) : found;
      const isNumber = typeof value === 'number' && message.isTime(name);
      message.add(name, value, isJson && value === found ? 'json' : undefined, isNumber ? numberText(line, name, value) : undefined);
    });
  } catch {
    return false;
  }
  return true;
}

/** Serilog's compact form leaves the level `Information` out. */
const INFORMATION: LogMessage = { Severity: 6 };
const NONE: LogMessage = {};

/** Headers that an object has without a member for them. */
export const knownHeaders = (record: ExactObject): LogMessage =>
  typeof record['@t'] === 'string' && record['@l'] === undefined && (record['@mt'] ?? record['@m']) !== undefined ? INFORMATION : NONE;

/** A list of the journal as it is meant: bytes are a text, and several texts of a message are its lines. */
function wordsOf(name: string, value: FieldContent): FieldContent {
  if (typeof value !== 'object') return name === 'MESSAGE' ? (mixedLines(value) ?? value) : value;
  return bytesText(value) ?? (name === 'MESSAGE' && typeof value[0] === 'string' ? value.join('\n') : value);
}

/** The lines of a list of texts and of lists of bytes, by its JSON text; null for any other list. */
function mixedLines(json: FieldContent): string | null {
  if (typeof json !== 'string' || !json.startsWith('[')) return null;
  const lines = (JSON.parse(json) as readonly unknown[]).map((line) => (Array.isArray(line) ? bytesText(line) : line));
  return lines.every((line) => typeof line === 'string') ? lines.join('\n') : null;
}

/** The text of a value that the journal writes as a list of bytes, since it is not printable. */
function bytesText(list: readonly unknown[]): string | null {
  return list.every((byte) => typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255)
    ? utf8Text(Uint8Array.from(list as number[]))
    : null;
}
