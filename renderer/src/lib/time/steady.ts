/**
 * Returns a function that gives the value before back for one that says the same, as JSON. What is derived from it is then not worked out anew, and not
 * drawn anew, each time that the engine tells of itself.
 */
export function steady<T>(): (value: T) => T {
  let last: { readonly text: string; readonly value: T } | null = null;
  return (value) => {
    const text = JSON.stringify(value);
    if (last?.text !== text) last = { text, value };
    return last.value;
  };
}

/** Returns a function that gives back the highest number that it was given so far; 1 at least. */
export function highest(): (value: number) => number {
  let most = 1;
  return (value) => {
    most = Math.max(most, value);
    return most;
  };
}
