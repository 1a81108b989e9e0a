import { describe, expect, it } from 'vitest';
import { COMMANDS, LOCAL_KEYS, commandById, commandOf } from '../../../../renderer/src/state/commands.ts';
import type { KeyPress } from '../../../../renderer/src/lib/keys.ts';

function press(key: string, modifiers = ''): KeyPress {
  return {
    key,
    ctrlKey: modifiers.includes('C'),
    metaKey: modifiers.includes('M'),
    altKey: modifiers.includes('A'),
    shiftKey: modifiers.includes('S'),
  };
}

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
