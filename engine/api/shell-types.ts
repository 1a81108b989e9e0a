/** Types of the requests that the shell answers itself, and of its events. */

import type { CommandId } from './commands.ts';
import type { ExportFormat } from './export-types.ts';
import type { QueryFormat } from './query-types.ts';
import type { WorkspaceShellRequests } from './workspace-types.ts';

/** The requests that the shell answers itself. */
export interface ShellRequests extends WorkspaceShellRequests {
  /** Shows the open dialog, for files or for a folder, and opens what is chosen. */
  'shell.open': { in: { folder?: boolean }; out: { opened: number[] } };
  'shell.openSample': { in: { name: 'access' | 'syslog' }; out: { opened: number[] } };
  'shell.recent': { in: Record<string, never>; out: { path: string; openedAt: number }[] };
  'shell.theme': { in: { theme: 'system' | 'light' | 'dark' }; out: null };
  /** Makes everything in the window larger or smaller by a step; 0: of the usual size. */
  'shell.zoom': { in: { step: -1 | 0 | 1 }; out: null };
  'shell.copy': { in: { text: string }; out: null };
  /** Asks for a script file; null: nothing was chosen. */
  'shell.chooseScript': { in: Record<string, never>; out: { path: string } | null };
  /** Asks where an export is to be written; null: it was called off. */
  'shell.chooseExport': { in: { name: string; format: ExportFormat | QueryFormat }; out: { path: string } | null };
  /** Asks where to save a script, and writes it there; null: it was called off. */
  'shell.saveScript': { in: { name: string; text: string }; out: { path: string } | null };
  /** Asks where to save the picture of a graph, or its values, and writes them there; null: it was called off. */
  'shell.savePicture': { in: { name: string; png: Uint8Array }; out: { path: string } | null };
  'shell.saveTable': { in: { name: string; csv: string }; out: { path: string } | null };
  /** Shows a notification of the desktop, unless there were many lately. */
  'shell.notify': { in: { title: string; text: string; alert: number }; out: null };
  /** Says whether closing the window keeps Sluicebox running, behind an icon in the notification area. */
  'shell.background': { in: { on: boolean }; out: null };
  /** Starts the engine once more after it has failed. */
  'shell.startEngine': { in: Record<string, never>; out: null };
  'shell.about': { in: Record<string, never>; out: { version: string; electron: string; node: string; workspace: string } };
}

export interface ShellEvents {
  /** The engine process: `restarting` after a crash, with what is known of it. */
  engine: { state: 'starting' | 'running' | 'restarting' | 'failed'; reason: string | null };
  /** A menu item or key asks for a command of the renderer's table. */
  command: { id: CommandId };
  /** Someone has clicked a notification about this alert. */
  alert: { id: number };
  /** The desktop does not answer: alerts are shown only in the window. */
  desktopSilent: Record<string, never>;
  /** Someone has given the application a workspace to open. */
  workspace: { path: string };
}
