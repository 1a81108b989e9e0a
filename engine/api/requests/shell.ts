/** Requests about the desktop, which the shell answers itself. */
import { z } from 'zod';
import { asks } from './request.ts';
import { nothing, format, scriptText } from './shapes.ts';

export const shellRequests = {
  /** Asks for a workspace to open, or with a name where to save one; null: it was called off. */
  'shell.chooseWorkspace': asks(z.strictObject({ save: z.string().min(1).max(200).nullable() })).gives<{ path: string } | null>(),
  /** Asks where a file of a workspace is on this machine; null: it was called off. */
  'shell.findFile': asks(z.strictObject({ name: z.string().max(4096) })).gives<{ path: string } | null>(),
  /** The workspace with which the application was started and which was not taken yet; null: none. */
  'shell.givenWorkspace': asks(nothing).gives<{ path: string } | null>(),
  /** The record with which the application was started and which was not taken yet; null: none. */
  'shell.givenRecord': asks(nothing).gives<{ path: string; number: number } | null>(),
  /** The command by which an assistant's program asks about what is granted: program and arguments. */
  'shell.assistantCommand': asks(nothing).gives<{ command: string[] }>(),
  /** Shows the open dialog, for files or for a folder, and opens what is chosen. */
  'shell.open': asks(z.strictObject({ folder: z.boolean().optional() })).gives<{ opened: number[] }>(),
  'shell.openSample': asks(z.strictObject({ name: z.enum(['access', 'syslog']) })).gives<{ opened: number[] }>(),
  'shell.recent': asks(nothing).gives<{ path: string; openedAt: number }[]>(),
  /** Makes everything in the window larger or smaller by a step; 0: of the usual size. */
  'shell.zoom': asks(z.strictObject({ step: z.union([z.literal(-1), z.literal(0), z.literal(1)]) })).gives<null>(),
  'shell.theme': asks(z.strictObject({ theme: z.enum(['system', 'light', 'dark']) })).gives<null>(),
  'shell.copy': asks(z.strictObject({ text: z.string().max(10_000_000) })).gives<null>(),
  /** Asks for a script file; null: nothing was chosen. */
  'shell.chooseScript': asks(nothing).gives<{ path: string } | null>(),
  /** Asks for a folder of rules; null: nothing was chosen. */
  'shell.chooseRules': asks(nothing).gives<{ path: string } | null>(),
  /** Asks where an export is to be written; null: it was called off. */
  'shell.chooseExport': asks(
    z.strictObject({ name: z.string().min(1).max(200), format: z.enum([...format.options, 'parquet', 'html', 'markdown']) }),
  ).gives<{
    path: string;
  } | null>(),
  /** Asks where to save a script, and writes it there; null: it was called off. */
  'shell.saveScript': asks(z.strictObject({ name: z.string().min(1).max(200), text: scriptText })).gives<{ path: string } | null>(),
  /** Asks where to save the picture of a graph, or its values, and writes them there; null: it was called off. */
  'shell.savePicture': asks(
    z.strictObject({
      name: z.string().min(1).max(200),
      png: z.instanceof(Uint8Array).refine(({ length }) => length <= 64 << 20),
    }),
  ).gives<{ path: string } | null>(),
  'shell.saveTable': asks(z.strictObject({ name: z.string().min(1).max(200), csv: z.string().max(64 << 20) })).gives<{
    path: string;
  } | null>(),
  /** Shows a notification of the desktop, unless there were many lately. */
  'shell.notify': asks(z.strictObject({ title: z.string().max(200), text: z.string().max(1000), alert: z.int() })).gives<null>(),
  /** Says whether closing the window keeps Sluicebox running, behind an icon in the notification area. */
  'shell.background': asks(z.strictObject({ on: z.boolean() })).gives<null>(),
  /** Starts the engine once more after it has failed. */
  'shell.startEngine': asks(nothing).gives<null>(),
  'shell.about': asks(nothing).gives<{ version: string; electron: string; node: string; workspace: string }>(),
};
