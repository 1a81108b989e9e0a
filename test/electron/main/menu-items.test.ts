import { describe, expect, it, vi } from 'vitest';
import { commandItems } from '../../../electron/main/menu-items.ts';
import { COMMANDS } from '../../../engine/api/commands.ts';

describe('commandItems', () => {
  it('has the titles, the keys and the lines of the table', () => {
    const [first, ...more] = commandItems('View', () => undefined);
    expect(first).toMatchObject({ label: 'Logs', accelerator: 'CmdOrCtrl+1', registerAccelerator: false });
    expect(more.find(({ label }) => label === 'Larger')).toMatchObject({ accelerator: 'CmdOrCtrl+Plus' });
    const palette = more.findIndex(({ label }) => label === 'Command palette');
    expect(more[palette - 1]).toEqual({ type: 'separator' });
  });

  it('draws no key that is not an accelerator', () => {
    expect(commandItems('Help', () => undefined)).toMatchObject([{ label: 'Keyboard shortcuts' }]);
    expect(commandItems('Help', () => undefined)[0]).not.toHaveProperty('accelerator');
  });

  it('runs the command of an item', () => {
    const run = vi.fn();
    for (const { click } of commandItems('File', run)) (click as (() => void) | undefined)?.();
    expect(run.mock.calls.flat()).toEqual(COMMANDS.filter(({ menu }) => menu === 'File').map(({ id }) => id));
  });
});
