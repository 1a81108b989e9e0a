/**
 * Tells files of the same name apart, as editors do: the label is the name, preceded by the nearest folder that tells it from the others,
 * `web1/syslog`, or `web1/…/syslog` where that folder is further up. Folders between them are left out where that is clear.
 * @param locations different absolute paths that end with the same name
 */
export function distinctLabels(locations: readonly string[]): string[] {
  const paths = locations.map((location) => location.split(/[/\\]/).filter((part) => part !== ''));
  const tails = timesOf(paths.flatMap(tailsOf));
  // A path that is the end of another one has no tail of its own, and is told whole.
  const own = paths.map((path, at) => tailsOf(path).find((tail) => tails.get(tail) === 1) ?? (locations[at] as string));
  const brief = own.map((tail) => tail.replace(/^([^/]+)\/.+\/([^/]+)$/, '$1/…/$2'));
  const times = timesOf(brief);
  return brief.map((label, at) => (times.get(label) === 1 ? label : (own[at] as string)));
}

/** The ends of a path, the shortest first. */
const tailsOf = (path: readonly string[]): string[] => path.map((_, at) => path.slice(path.length - 1 - at).join('/'));

function timesOf(texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}
