import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../../engine/api/commands.ts';
import type { KeyPress } from '../../../../../renderer/src/lib/keys.ts';
import { LOCAL_KEYS, localKey, SPLITTER_KEYS, TABLE_KEYS } from '../../../../../renderer/src/lib/filter/local-keys.ts';

function press(key: string, modifiers = ''): KeyPress {
  return {
    key,
    ctrlKey: modifiers.includes('C'),
    metaKey: modifiers.includes('M'),
    altKey: modifiers.includes('A'),
    shiftKey: modifiers.includes('S'),
  };
}

describe('localKey', () => {
  it.each([
    [press('ArrowDown'), 'next'],
    [press('ArrowDown', 'S'), 'next'],
    [press('ArrowDown', 'C'), 'last'],
    [press('Home', 'CS'), 'first'],
    [press('a', 'C'), 'all'],
    [press('a'), null],
    [press('c', 'C'), null],
    [press('ArrowDown', 'A'), null],
    [press('j'), 'next'],
    [press('k'), 'previous'],
    [press('g'), 'first'],
    [press('G', 'S'), 'last'],
    [press('d', 'C'), 'halfDown'],
    [press('u', 'C'), 'halfUp'],
    [press(' '), 'pageDown'],
    [press('b'), 'pageUp'],
    [press('b', 'C'), null],
    [press('f', 'C'), null],
    [press('Enter'), 'inspect'],
  ])('%o in the record table: %s', (pressed, does) => expect(localKey(TABLE_KEYS, pressed, 'linux')).toBe(does));

  it('asks the part alone', () => {
    expect(localKey(SPLITTER_KEYS, press('Enter'), 'linux')).toBe('close');
    expect(localKey(SPLITTER_KEYS, press('PageUp'), 'linux')).toBeNull();
  });
});

describe('the keys of the parts', () => {
  it('have one meaning each in their part', () => {
    for (const { part, meanings } of LOCAL_KEYS) {
      const keys = meanings.flatMap((meaning) => [...Object.keys(meaning.keys), ...Object.keys(meaning.also ?? {})]);
      expect(new Set(keys).size, part).toBe(keys.length);
    }
  });

  it('of the record table are those of no command, which would be lost while it has the focus', () => {
    const taken = TABLE_KEYS.meanings.flatMap((meaning) => [...Object.keys(meaning.keys), ...Object.keys(meaning.also ?? {})]);
    expect(COMMANDS.flatMap(({ keys }) => keys).filter((key) => taken.includes(key))).toEqual([]);
  });

  it('are said once', () => {
    const titles = LOCAL_KEYS.flatMap(({ part, meanings }) => meanings.map(({ title }) => `${part}/${title}`));
    expect(new Set(titles).size).toBe(titles.length);
  });
});
