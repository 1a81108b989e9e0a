import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** A program that shows text page by page. */
export interface Pager {
  readonly stream: Writable;
  readonly ended: Promise<void>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The command line of the pager, as git chooses its own; null: none. @param named that of the user's settings */
export function pagerCommand(env: Environment, named: string | null = null): string | null {
  const command = (env['SLUICEBOX_PAGER'] ?? named ?? env['PAGER'] ?? 'less').trim();
  return command === '' || command === 'cat' ? null : command;
}

/** Starts the pager; null: there is none. */
export async function startPager(env: Environment, named: string | null): Promise<Pager | null> {
  const command = pagerCommand(env, named);
  if (command === null) return null;
  // Colours pass, and what fits the screen is printed: the same that git gives less.
  const child = spawn(command, { shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: { LESS: 'FRX', LV: '-c', ...env } });
  const ended = once(child, 'close').then(
    () => undefined,
    () => undefined,
  );
  const isStarted = await once(child, 'spawn').then(
    () => true,
    () => false,
  );
  return isStarted ? { stream: child.stdin, ended } : null;
}
