import { isEndCode, type End, type ScriptPlace } from '../../api/ends.ts';
import { ForgedResultError } from './errors.ts';

/** Of a reason, or of what a script has said, this much is taken; hosts send no more of it. */
const MAX_TEXT = 80_000;
const MAX_FILE = 255;

/**
 * The end that a host tells of. A script may have changed anything on its side of the isolate, so everything is checked: at worst it names a wrong
 * end of its own.
 * @throws {ForgedResultError} when it is no end
 */
export function readEnd(value: unknown): End {
  if (typeof value !== 'object' || value === null) throw new ForgedResultError('its end is broken');
  const { code, reason, limit, place, said } = value as Readonly<Record<string, unknown>>;
  if (!isEndCode(code) || typeof reason !== 'string') throw new ForgedResultError('its end is broken');
  return {
    code,
    reason: reason.slice(0, MAX_TEXT),
    limit: limit === undefined ? undefined : readNumber(limit),
    place: place === undefined ? undefined : readPlace(place),
    said: typeof said === 'string' ? said.slice(0, MAX_TEXT) : undefined,
  };
}

function readPlace(value: unknown): ScriptPlace {
  const { file, line, column } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof file !== 'string') throw new ForgedResultError('its end is at no place');
  return { file: file.slice(0, MAX_FILE), line: readNumber(line), column: readNumber(column) };
}

function readNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new ForgedResultError('its end has a number that is none');
}
