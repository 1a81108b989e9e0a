/** Who wants a report of what is busy does not wait longer. */
const BUSY_MS = 500;
/** So often, for what seems to have nothing to do: it answers soon, if only it gets some time itself. */
const LOOKS = 20;

export interface Otherwise<T> {
  readonly isBusy: () => boolean;
  readonly otherwise: () => T;
}

/** An answer, or something else when that is long in coming, because who is asked has other things to do. */
export function unlessBusy<T>(answer: Promise<T>, { isBusy, otherwise }: Otherwise<T>): Promise<T> {
  const { promise: late, resolve } = Promise.withResolvers<T>();
  let looks = 0;
  const timer = setInterval(() => {
    if (isBusy() || ++looks === LOOKS) resolve(otherwise());
  }, BUSY_MS);
  return Promise.race([answer, late]).finally(() => clearInterval(timer));
}
