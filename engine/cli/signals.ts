/** Calls back whenever the signal comes, as long as the result is not disposed of. Windows has no such signals. */
export function onSignal(signal: 'SIGUSR1' | 'SIGUSR2', handler: () => void): Disposable {
  if (process.platform !== 'win32') process.on(signal, handler);
  return { [Symbol.dispose]: () => void process.removeListener(signal, handler) };
}
