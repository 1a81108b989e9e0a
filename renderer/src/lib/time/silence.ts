import type { Notice } from '../../../../engine/api/types.ts';
import { isArrayOf, isNumber, isShape, isString, orNull } from '../sources/saved.ts';

/** A rule that silences notices: those that match every part that is not null. */
export interface Silence {
  readonly id: number;
  readonly code: string | null;
  /** Name of a plugin. */
  readonly plugin: string | null;
  /** Text with its numbers replaced, so that it also matches other values of the same alert. */
  readonly text: string | null;
  /** Milliseconds; null: until it is lifted. */
  readonly until: number | null;
}

const isSilence = isShape<Silence>({
  id: isNumber,
  code: orNull(isString),
  plugin: orNull(isString),
  text: orNull(isString),
  until: orNull(isNumber),
});
export const areSilences = isArrayOf(isSilence);

/** A time, or a number that is not the class of a status, as in 5xx. */
const CHANGING = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\d+(?:[.,:]\d+)*(?![\dx])/g;

/** The text of a notice with its times and numbers replaced. */
export const shapeOf = (text: string): string => text.replaceAll(CHANGING, '#');

export function isSilenced(
  { code, text, about }: Pick<Notice, 'code' | 'text' | 'about'>,
  silences: readonly Silence[],
  now: number,
): boolean {
  return silences.some((silence) => {
    if (silence.until !== null && silence.until <= now) return false;
    if (silence.code !== null && silence.code !== code) return false;
    if (silence.plugin !== null && silence.plugin !== about?.plugin) return false;
    return silence.text === null || silence.text === shapeOf(text);
  });
}

/** The silences after the clock was set back: they last as long as before. */
export const setBack = (silences: readonly Silence[], ms: number): Silence[] =>
  silences.map((silence) => (silence.until === null ? silence : { ...silence, until: silence.until - ms }));

/** The description of a silence for the user. */
export function silenceText({ code, plugin, text }: Silence): string {
  if (text !== null) return `“${text}”`;
  const parts = [plugin === null ? null : `everything from ${plugin}`, code === null ? null : `alerts of the kind ${code}`];
  return parts.filter((part) => part !== null).join(', ') || 'everything';
}
