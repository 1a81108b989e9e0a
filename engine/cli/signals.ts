import { Exit, type CommandContext } from './command.ts';

/** Calls the handler at each signal until the result is disposed of. Does nothing on Windows, which has no such signals. */
export function onSignal(signal: 'SIGUSR1' | 'SIGUSR2', handler: () => void): Disposable {
  if (process.platform !== 'win32') process.on(signal, handler);
  return { [Symbol.dispose]: () => void process.removeListener(signal, handler) };
}

/** The signal that ends a service at once, and how a user sends it. */
export const END_AT_ONCE =
  process.platform === 'win32'
    ? ({ signal: 'SIGBREAK', given: 'Ctrl+Break' } as const)
    : ({ signal: 'SIGQUIT', given: 'SIGQUIT (Ctrl+\\)' } as const);

/** Time that a command has to end after it was asked to; a service has rules of its own. */
const END_MS = 5000;

/** Two signals within this time are one request: a terminal also sends them to the parent process, which passes them on. */
const SAME_REQUEST_MS = 200;

/**
 * Makes SIGINT, SIGTERM, SIGHUP and the end of the launcher abort `stop`; a second signal ends the process at once. SIGUSR1 and SIGUSR2 do nothing
 * until a command wants them. `main` calls it before the command starts.
 * @param isService a hangup opens the files of a service anew: one that comes before they are open does nothing
 * @returns setters with which a command replaces these reactions, and what resolves when a command that has not replaced them does not end
 */
export function takeRequests(
  stop: AbortController,
  isService = false,
): Required<Pick<CommandContext, 'onHangup' | 'onAskedAgain'>> & { readonly overdue: Promise<void> } {
  const overdue = Promise.withResolvers<void>();
  let isReplaced = false;
  stop.signal.addEventListener('abort', () => setTimeout(() => (isReplaced ? undefined : overdue.resolve()), END_MS).unref());
  let hangup: (() => void) | null = isService ? () => undefined : null;
  let again = (): void => process.exit(Exit.interrupted);
  let askedAt = -Infinity;
  const take = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && hangup !== null) return hangup();
    const now = performance.now();
    if (stop.signal.aborted) {
      if (now - askedAt > SAME_REQUEST_MS) again();
      return;
    }
    askedAt = now;
    stop.abort(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, take);
  // By default the one would open Node's debugger, or end the process like the other.
  for (const signal of ['SIGUSR1', 'SIGUSR2'] as const) onSignal(signal, () => undefined);
  followLauncher(() => stop.abort('SIGTERM'));
  return {
    onHangup: (handler) => (hangup = handler),
    overdue: overdue.promise,
    onAskedAgain: (handler) => {
      again = handler;
      isReplaced = true;
      process.on(END_AT_ONCE.signal, () => process.exit(Exit.interrupted));
    },
  };
}

/** Calls back when the launcher is gone, which shows in the end of its channel, and tells it that signals are handled from now on. */
function followLauncher(onGone: () => void): void {
  // Undefined without a launcher; it may also have gone while this process started.
  if (process.connected === undefined) return;
  if (!process.connected) return onGone();
  process.once('disconnect', onGone);
  process.channel?.unref();
  process.send?.('ready', undefined, undefined, () => undefined);
}
