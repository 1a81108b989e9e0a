/** The share of time that collecting garbage for reports may take. */
export const REPORT_SHARE = 1 / 2000;

/** Time to wait for the answer of a busy sandbox, and the interval between checks. */
const BUSY_MS = 500;
/** Maximum number of checks while the sandbox seems idle: an idle one answers soon, unless the machine is overloaded. */
const MAX_CHECKS = 20;

export interface Otherwise<T> {
  readonly isBusy: () => boolean;
  readonly otherwise: () => T;
}

/** Resolves with the answer, or with `otherwise()` when the answer is late because the other side is busy. */
export function unlessBusy<T>(answer: Promise<T>, { isBusy, otherwise }: Otherwise<T>): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  let checks = 0;
  const timer = setInterval(() => {
    if (isBusy() || ++checks === MAX_CHECKS) resolve(otherwise());
  }, BUSY_MS);
  return Promise.race([answer, late]).finally(() => clearInterval(timer));
}
