/** Longest wait that a timer of Node takes, 24.8 days: one of a longer wait is due at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A timer of any wait. */
export interface LongTimer {
  cancel(): void;
}

/**
 * Calls back once, after any number of milliseconds.
 * @param ref false: it does not keep the process alive
 */
export function after(milliseconds: number, work: () => void, { ref = true }: { readonly ref?: boolean } = {}): LongTimer {
  let timer: NodeJS.Timeout;
  const wait = (rest: number): void => {
    timer = rest > LONGEST_MS ? setTimeout(() => wait(rest - LONGEST_MS), LONGEST_MS) : setTimeout(work, rest);
    if (!ref) timer.unref();
  };
  wait(milliseconds);
  return { cancel: () => clearTimeout(timer) };
}

/** Calls back at an interval of any number of milliseconds, and does not keep the process alive. */
export function every(milliseconds: number, work: () => void): LongTimer {
  if (milliseconds <= LONGEST_MS) {
    const timer = setInterval(work, milliseconds).unref();
    return { cancel: () => clearInterval(timer) };
  }
  let timer: LongTimer;
  const wait = (): void => {
    timer = after(milliseconds, tick, { ref: false });
  };
  const tick = (): void => {
    wait();
    work();
  };
  wait();
  return { cancel: () => timer.cancel() };
}
