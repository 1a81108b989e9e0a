/** Lines of the line protocol in a form that can be compared: neither their order nor that of their tags counts. */

/** All lines of a payload, their tags in alphabetical order. */
export function sortedLines(payload: string): string[] {
  return payload.split('\n').map(withSortedTags).toSorted();
}

function withSortedTags(line: string): string {
  const [head = '', ...rest] = line.split(/(?<!\\) /);
  const [measurement, ...tags] = head.split(/(?<!\\),/);
  return [[measurement, ...tags.toSorted()].join(','), ...rest].join(' ');
}
