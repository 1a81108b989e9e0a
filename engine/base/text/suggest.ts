/**
 * The name among `names` that was probably meant by a mistyped one; undefined when none is near. Optimal string alignment distance:
 * insertions, deletions, replacements and swapped neighbours count one each.
 */
export function suggest(typed: string, names: Iterable<string>): string | undefined {
  const wanted = typed.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = distanceOf(wanted, name.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** `; did you mean X?`, or nothing. */
export function hint(typed: string, names: Iterable<string>): string {
  const name = suggest(typed, names);
  return name === undefined ? '' : `; did you mean ${name}?`;
}

/** `did you mean X?`, or all names when none is near. */
export function nearOrAll(typed: string, names: readonly string[]): string {
  const near = suggest(typed, names);
  if (near !== undefined) return `did you mean ${near}?`;
  return names.length > 0 ? `known are ${names.join(', ')}` : '';
}

/** The distance of two words, or `limit` when it is not below that. */
function distanceOf(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return Math.min(limit, last[b.length] as number);
}
