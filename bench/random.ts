/** Numbers between 0 and 1, the same each time (S. K. Park, K. W. Miller, "Random Number Generators: Good Ones Are Hard to Find", 1988). */
export function generator(seed = 12345): () => number {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}
