import { describe, expect, it } from 'vitest';
import type { App } from '../../../../renderer/src/state/app.svelte.ts';
import { commandOfKey, isEnabled, runCommand } from '../../../../renderer/src/state/commands.ts';
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

describe('the commands of the window', () => {
  it('are found by their keys, and letters are left to text fields', () => {
    expect(commandOfKey(press('k', 'C'), 'linux', true)?.id).toBe('palette.open');
    expect(commandOfKey(press('h'), 'linux', false)?.id).toBe('logs.histogram');
    expect(commandOfKey(press('h'), 'linux', true)).toBeUndefined();
    expect(commandOfKey(press('F1'), 'linux', true)?.id).toBe('help.keys');
    expect(commandOfKey(press('F6', 'S'), 'linux', true)?.id).toBe('part.previous');
  });

  it('do nothing while they cannot be done', () => {
    const prefs = { view: 'graphs', wrap: false };
    const app = { prefs } as App;
    expect(isEnabled('logs.wrap', app)).toBe(false);
    expect(runCommand('logs.wrap', app)).toBe(false);
    expect(prefs.wrap).toBe(false);
    prefs.view = 'logs';
    expect(runCommand('logs.wrap', app)).toBe(true);
    expect(prefs.wrap).toBe(true);
  });
});
