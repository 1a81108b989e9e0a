import { describe, expect, it } from 'vitest';
import { commandOf, COMMANDS } from '../../../engine/api/commands.ts';

describe('the table of commands', () => {
  it('has each id and each key once', () => {
    const ids = COMMANDS.map(({ id }) => id);
    const keys = COMMANDS.flatMap((command) => command.keys);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('finds each by its id', () => {
    for (const command of COMMANDS) expect(commandOf(command.id)).toBe(command);
  });
});
