import { describe, expect, it } from 'vitest';
import { COMMANDS, LOCAL_KEYS, commandById, commandOf } from '../../../../renderer/src/state/commands.ts';
import { fuzzyFilter, fuzzyScore } from '../../../../renderer/src/frame/fuzzy.ts';
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

describe('matches', () => {
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

describe('the table of commands', () => {
  it('has each id and each key once', () => {
    const ids = COMMANDS.map(({ id }) => id);
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has what the menu of the application asks for', () => {
    const menu = ['file.open', 'source.listen', 'view.logs', 'view.graphs', 'view.items', 'view.schema', 'palette.open', 'help.keys'];
    expect(menu.filter((id) => commandById(id) === undefined)).toEqual([]);
  });

  it('finds the command of a key, and leaves letters to text fields', () => {
    expect(commandOf(press('k', 'C'), 'linux', true)?.id).toBe('palette.open');
    expect(commandOf(press('h'), 'linux', false)?.id).toBe('logs.histogram');
    expect(commandOf(press('h'), 'linux', true)).toBeUndefined();
    expect(commandOf(press('F1'), 'linux', true)?.id).toBe('help.keys');
  });

  it('says each local key’s meaning once in its group', () => {
    const titles = LOCAL_KEYS.map(({ group, title }) => `${group}/${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe('fuzzy search', () => {
  it.each([
    ['', 'Anything', true],
    ['gra', 'Go to: Graphs', true],
    ['of', 'Open files…', true],
    ['xyz', 'Open files…', false],
    ['OPEN', 'Open files…', true],
    ['lo', 'l xo l', true],
  ])('%j in %j: %s', (typed, title, found) => expect(fuzzyScore(typed, title) !== null).toBe(found));

  it('puts beginnings of words first', () => {
    const titles = ['Close all files', 'Show the log format', 'Open files…'];
    expect(fuzzyFilter('of', titles, (title) => title)[0]).toBe('Open files…');
    expect(fuzzyFilter('', titles, (title) => title)).toEqual(titles);
  });
});
