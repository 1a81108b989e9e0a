/**
 * Maps items by asynchronous work, several at a time, and yields the results in the order of the items, each as soon as it is
 * there. Ends the source when it is left early.
 */
export async function* mapInOrder<T, R>(items: AsyncIterable<T>, work: (item: T) => Promise<R>, limit: number): AsyncGenerator<R> {
  const source = items[Symbol.asyncIterator]();
  const queue: Promise<R>[] = [];
  let next: Promise<IteratorResult<T>> | null = null;
  let ended = false;
  try {
    for (;;) {
      if (!ended && queue.length < limit && next === null) next = source.next();
      if (next === null && queue.length === 0) return;
      const head = queue[0];
      const arrived = next === null || head === undefined ? null : await Promise.race([settled(head), settled(next).then(() => next)]);
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

/** Resolves to null when the promise is settled, either way. */
async function settled(promise: Promise<unknown>): Promise<null> {
  return promise.then(
    () => null,
    () => null,
  );
}
