/** Types of the events of the shell. */

import type { CommandId } from './commands.ts';

export interface ShellEvents {
  /** The engine process: `restarting` after a crash, with what is known of it. */
  engine: { state: 'starting' | 'running' | 'restarting' | 'failed'; reason: string | null };
  /** Records that were there before the engine crashed are not there after it. */
  recordsGone: { label: string; records: number };
  /** A menu item or key asks for a command of the renderer's table. */
  command: { id: CommandId };
  /** Someone has clicked a notification about this alert. */
  alert: { id: number };
  /** A question of the shell waits for its answer in a window of its own; null: none does any more. */
  asking: { message: string | null };
  /** The desktop does not answer: alerts are shown only in the window. */
  desktopSilent: Record<string, never>;
  /** Someone has named a record when they started the application again. */
  record: { path: string; number: number };
  /** Someone has given the application a workspace to open. */
  workspace: { path: string };
}
