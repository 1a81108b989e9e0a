/** The name of a column of a graph as it is written for people: the classes of HTTP statuses are `2xx`, and what has none is `Other`. */
export function seriesName(name: string): string {
  const status = /^HTTP_([1-5])00$/.exec(name);
  if (status !== null) return `${status[1]}xx`;
  return name === 'HTTP_UNKNOWN' ? 'Other' : name;
}
