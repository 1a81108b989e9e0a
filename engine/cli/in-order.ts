/**
 * Maps items by asynchronous work, several at a time, and yields the results in the order of the items, each as soon as it is
 * there. Ends the source when it is left early. An error of the source comes behind the results of what it gave before.
 * @param signal ends it at once, whatever is under way
 */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<R>,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<R> {
  const source = items[Symbol.asyncIterator]();
  const queue: Promise<R>[] = [];
  let next: Promise<IteratorResult<T>> | null = null;
  let ended = false;
  let fault: { readonly error: unknown } | null = null;
  const failed = (error: unknown): IteratorResult<T> => {
    fault = { error };
    return { done: true, value: undefined };
  };
  try {
    while (!signal.aborted) {
      if (!ended && queue.length < limit && next === null) next = source.next().catch(failed);
      if (next === null && queue.length === 0) {
        throwIf(fault);
        return;
      }
      const head = queue[0];
      const arrived = await firstOf(head, next, signal);
      if (signal.aborted) return;
      if (head !== undefined && (next === null || arrived === null)) {
        yield await head;
        void queue.shift();
        continue;
      }
      const result: IteratorResult<T> = await (next as Promise<IteratorResult<T>>);
      next = null;
      if (result.done === true) ended = true;
      else {
        const started = work(result.value);
        // Marks a failure as handled; the later await raises it.
        started.catch(() => undefined);
        queue.push(started);
      }
    }
  } finally {
    void next?.catch(() => undefined);
    if (!ended) await source.return?.();
  }
}

function throwIf(fault: { readonly error: unknown } | null): void {
  if (fault !== null) throw fault.error;
}

/** Waits for a result, the next item or the end. @returns the item when it came first */
async function firstOf<T>(
  head: Promise<unknown> | undefined,
  next: Promise<IteratorResult<T>> | null,
  signal: AbortSignal,
): Promise<IteratorResult<T> | null> {
  const stop = Promise.withResolvers<null>();
  const onAbort = (): void => stop.resolve(null);
  signal.addEventListener('abort', onAbort);
  try {
    const waits = [head === undefined ? null : settled(head), next === null ? null : settled(next).then(() => next)];
    return await Promise.race([stop.promise, ...waits.filter((one) => one !== null)]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves to null when the promise is settled, either way. */
async function settled(promise: Promise<unknown>): Promise<null> {
  return promise.then(
    () => null,
    () => null,
  );
}
