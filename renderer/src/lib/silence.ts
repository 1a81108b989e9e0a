import type { Notice } from '../../../engine/api/types.ts';
import { isArrayOf, isNumber, isShape, isString, orNull } from './saved.ts';

/** What is not to be heard of. A notice is meant that fits every part that is not null. */
export interface Silence {
  readonly id: number;
  readonly code: string | null;
  /** Name of a plugin. */
  readonly plugin: string | null;
  /** With numbers blanked out, so that the next value of the same alert fits, too. */
  readonly text: string | null;
  /** Milliseconds; null: until it is lifted. */
  readonly until: number | null;
}

const isSilence = isShape<Silence>({
  ...{ id: isNumber, code: orNull(isString), plugin: orNull(isString) },
  ...{ text: orNull(isString), until: orNull(isNumber) },
});
export const areSilences = isArrayOf(isSilence);

/** The text of a notice without what differs from one time to the next. */
export const shapeOf = (text: string): string => text.replaceAll(/\d+(?:[.,:]\d+)*/g, '#');

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

/** What a silence is about, in words. */
export function silenceText({ code, plugin, text }: Silence): string {
  if (text !== null) return `“${text}”`;
  const parts = [plugin === null ? null : `everything from ${plugin}`, code === null ? null : `alerts of the kind ${code}`];
  return parts.filter((part) => part !== null).join(', ') || 'everything';
}
