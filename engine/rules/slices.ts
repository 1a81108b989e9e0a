/** Begin and end of the part of a value that was found last. */
export const slice = { start: 0, end: 0 };

/** Finds a part of `text.slice(start, end)`. @returns whether there is one */
export type Slice = (text: string, start: number, end: number) => boolean;

const [BLANK, QUESTION, DOT, SLASH, COLON, OPEN, CLOSE] = [32, 63, 46, 47, 58, 91, 93];

function found(start: number, end: number): boolean {
  slice.start = start;
  slice.end = end;
  return start <= end && start >= 0;
}

/** The place of a character, or `end`. */
function placeOf(text: string, code: number, start: number, end: number): number {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === code) return at;
  return end;
}

/** The place of the last blank, or one before or at `start`. */
function lastBlank(text: string, start: number, end: number): number {
  let at = end - 1;
  while (at > start && text.charCodeAt(at) !== BLANK) at--;
  return at;
}

/** The target of a request line (`GET /a?b HTTP/1.1`), or all of what is no such line. */
function target(text: string, start: number, end: number): boolean {
  const from = placeOf(text, BLANK, start, end);
  if (from === end) return found(start, end);
  const to = lastBlank(text, from, end);
  return found(from + 1, to > from ? to : end);
}

/** Something of the target of a request line. */
const ofTarget =
  (slices: Slice): Slice =>
  (text, start, end) =>
    target(text, start, end) && slices(text, slice.start, slice.end);

const path: Slice = (text, start, end) => found(start, placeOf(text, QUESTION, start, end));

const query: Slice = (text, start, end) => {
  const at = placeOf(text, QUESTION, start, end);
  return at < end && found(at + 1, end);
};

const extension: Slice = (text, start, end) => {
  const to = placeOf(text, QUESTION, start, end);
  for (let at = to - 1; at >= start; at--) {
    const code = text.charCodeAt(at);
    if (code === DOT) return found(at + 1, to);
    if (code === SLASH) return false;
  }
  return false;
};

const endOfHost = (text: string, start: number, end: number): number =>
  Math.min(placeOf(text, SLASH, start, end), placeOf(text, QUESTION, start, end));

/** The host of a URL (`http://host:80/a`, `http://[::1]:80/a`) or of `host:443`; an address without its brackets. */
const host: Slice = (text, start, end) => {
  const first = endOfHost(text, start, end);
  // Another URL may stand in the path or behind it.
  const hasScheme = first > start && first + 1 < end && text.startsWith('://', first - 1);
  const from = hasScheme ? first + 2 : start;
  if (from < end && text.charCodeAt(from) === SLASH) return false;
  const slash = endOfHost(text, from, end);
  const close = text.charCodeAt(from) === OPEN ? placeOf(text, CLOSE, from, slash) : slash;
  if (close < slash) return found(from + 1, close);
  return found(from, placeOf(text, COLON, from, slash));
};

/** Parts of values by their names, as the table of log sources has them. */
const SLICES: Readonly<Record<string, Readonly<Record<string, Slice>>>> = {
  request: {
    method: (text, start, end) => found(start, placeOf(text, BLANK, start, end)),
    target,
    path: ofTarget(path),
    query: ofTarget(query),
    extension: ofTarget(extension),
    host: ofTarget(host),
    version: (text, start, end) => {
      const at = lastBlank(text, start, end);
      return at > placeOf(text, BLANK, start, end) && found(at + 1, end);
    },
  },
  '': { path, query, extension, host },
};

/** The slice that a place names; null: the whole value. */
export function sliceOf(field: string, name: string | undefined): Slice | null {
  if (name === undefined) return null;
  return (field === 'request' ? SLICES['request'] : SLICES[''])?.[name] ?? null;
}
