import { describe, expect, it } from 'vitest';
import { isTyping, keyCaps, matches, type KeyPress } from '../../../../renderer/src/lib/keys.ts';

function press(key: string, modifiers = ''): KeyPress {
  return {
    key,
    ctrlKey: modifiers.includes('C'),
    metaKey: modifiers.includes('M'),
    altKey: modifiers.includes('A'),
    shiftKey: modifiers.includes('S'),
  };
}

describe('keys', () => {
  it.each([
    ['Mod+K', press('k', 'C'), 'linux', true],
    ['Mod+K', press('K', 'CS'), 'linux', false],
    ['Mod+K', press('k', 'M'), 'linux', false],
    ['Mod+K', press('k', 'M'), 'darwin', true],
    ['Mod+K', press('k', 'C'), 'darwin', false],
    ['Mod+Shift+P', press('P', 'CS'), 'win32', true],
    ['?', press('?', 'S'), 'linux', true],
    ['?', press('?'), 'linux', true],
    ['/', press('/'), 'linux', true],
    ['/', press('/', 'C'), 'linux', false],
    ['F', press('f'), 'linux', true],
    ['F', press('F', 'S'), 'linux', false],
    ['Mod+,', press(',', 'C'), 'linux', true],
    ['F1', press('F1'), 'linux', true],
    ['ArrowUp', press('ArrowUp', 'S'), 'linux', false],
  ] as const)('%s by %o on %s: %s', (key, pressed, platform, expected) => expect(matches(key, pressed, platform)).toBe(expected));

  it.each([
    ['F', true],
    ['/', true],
    ['Mod+F', false],
    ['F1', false],
    ['Alt+X', false],
  ])('a text field takes %s: %s', (key, taken) => expect(isTyping(key)).toBe(taken));

  it.each([
    ['Mod+Shift+P', 'linux', ['Ctrl', 'Shift', 'P']],
    ['Mod+Shift+P', 'darwin', ['⌘', '⇧', 'P']],
    ['ArrowUp', 'linux', ['↑']],
    ['?', 'linux', ['?']],
    ['Mod+,', 'win32', ['Ctrl', ',']],
  ] as const)('draws %s on %s', (key, platform, caps) => expect(keyCaps(key, platform)).toEqual(caps));
});
