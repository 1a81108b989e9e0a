import type { Command } from '../../../engine/api/commands.ts';
import type { Action } from '../lib/actions.ts';
import type { App } from './app.svelte.ts';
import { isEnabled } from './commands.ts';

/** Commands as the lines of a menu. @param whyNot says why those cannot be run that cannot */
export function commandActions(app: App, commands: readonly Command[], whyNot = 'Not possible now'): Action[] {
  return commands.map(({ id, title, separate = false, keys: [keys] }) => {
    return { label: title, separate, keys, disabled: isEnabled(id, app) ? undefined : whyNot, run: () => app.run(id) };
  });
}
