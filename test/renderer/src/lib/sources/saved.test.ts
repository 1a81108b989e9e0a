import { describe, expect, it } from 'vitest';
import {
  isArrayOf,
  isNumber,
  isOneOf,
  isShape,
  isString,
  orNull,
  readSaved,
  writeSaved,
} from '../../../../../renderer/src/lib/sources/saved.ts';

describe('what is saved', () => {
  function store(initial: Record<string, string> = {}) {
    const values = new Map(Object.entries(initial));
    return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) };
  }

  it('comes back', () => {
    const kept = store();
    writeSaved(kept, 'pane', { size: 3 });
    expect(readSaved(kept, 'pane', { size: 1 }, isShape({ size: isNumber }))).toEqual({ size: 3 });
  });

  it.each(['not json', '{"size":"3"}', 'null', '[]', '{}'])('is not taken when it is %j', (text) => {
    expect(readSaved(store({ 'sluicebox.pane': text }), 'pane', { size: 1 }, isShape({ size: isNumber }))).toEqual({ size: 1 });
  });

  it('does no harm when the store refuses', () => {
    const refusing = {
      getItem: (): string => {
        throw new Error('no');
      },
      setItem: (): void => {
        throw new Error('full');
      },
    };
    expect(() => writeSaved(refusing, 'a', 1)).not.toThrow();
    expect(readSaved(refusing, 'a', 5, isNumber)).toBe(5);
  });

  it.each([
    [isOneOf('a', 'b'), 'b', true],
    [isOneOf('a', 'b'), 'c', false],
    [isArrayOf(isString), ['x'], true],
    [isArrayOf(isString), ['x', 1], false],
    [orNull(isNumber), null, true],
    [orNull(isNumber), NaN, false],
  ])('check %#', (check, value, expected) => expect((check as (value: unknown) => boolean)(value)).toBe(expected));
});
