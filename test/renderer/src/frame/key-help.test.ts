import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../engine/api/commands.ts';
import { keyHelp } from '../../../../renderer/src/frame/key-help.ts';

describe('keyHelp', () => {
  const entries = keyHelp().flatMap(({ group, entries: lines }) => lines.map(({ title, keys }) => ({ group, title, keys })));

  it('has every command with keys, once', () => {
    for (const { group, title, keys } of COMMANDS) {
      const found = entries.filter((entry) => entry.group === group && entry.title === title);
      expect(found).toEqual(keys.length === 0 ? [] : [{ group, title, keys }]);
    }
  });

  it('has the keys of the record table', () => {
    expect(entries).toContainEqual({ group: 'Record table', title: 'First, last record', keys: ['Home', 'End', 'G', 'Shift+G'] });
  });

  it('has no group twice', () => {
    const groups = keyHelp().map(({ group }) => group);
    expect(new Set(groups).size).toBe(groups.length);
  });
});
