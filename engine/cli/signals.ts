import { Exit, type CommandContext } from './command.ts';

/** Calls back whenever the signal comes, as long as the result is not disposed of. Windows has no such signals. */
export function onSignal(signal: 'SIGUSR1' | 'SIGUSR2', handler: () => void): Disposable {
  if (process.platform !== 'win32') process.on(signal, handler);
  return { [Symbol.dispose]: () => void process.removeListener(signal, handler) };
}

/** The signal that ends a service without waiting for anything, and how it is given. */
export const END_AT_ONCE =
  process.platform === 'win32'
    ? ({ signal: 'SIGBREAK', given: 'Ctrl+Break' } as const)
    : ({ signal: 'SIGQUIT', given: 'SIGQUIT (Ctrl+\\)' } as const);

/** A terminal sends its signals to the starter of this process as well, which passes them on: two so close together are one. */
const SAME_REQUEST_MS = 200;

/**
 * Requests to stop abort `stop`; a further one ends the process at once, unless the command takes it.
 * @returns what a command may take instead
 */
export function takeRequests(stop: AbortController): Required<Pick<CommandContext, 'onHangup' | 'onAskedAgain'>> {
  let hangup: (() => void) | null = null;
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
  return {
    onHangup: (handler) => (hangup = handler),
    onAskedAgain: (handler) => {
      again = handler;
      process.on(END_AT_ONCE.signal, () => process.exit(Exit.interrupted));
    },
  };
}
