/**
 * Structured data of syslog lines (RFC 5424, section 6.3): `[id name="value" …][id …]`. Taken as well is what senders write against the rule: values
 * without quotes, blanks in front of them, and brackets within quotes that no backslash stands before.
 */

const [BLANK, QUOTE, EQUALS, OPEN, BACKSLASH, CLOSE] = [32, 34, 61, 91, 92, 93];

/** Receives each parameter as pieces of the text; an element without parameters as its id alone, with the other positions -1. */
type Visit = (idFrom: number, idTo: number, nameFrom: number, nameTo: number, valueFrom: number, valueTo: number) => void;

/** The end of the elements that begin at `at`, at least one, or -1. */
export function structuredDataEnd(text: string, at: number, end: number): number {
  return readElements(text, at, end, null);
}

/** The parameters of structured data as names `id.parameter` and values; an element without parameters is its id and an empty text. */
export function structuredParameters(data: string): [name: string, value: string][] {
  const result: [string, string][] = [];
  readElements(data, 0, data.length, (idFrom, idTo, nameFrom, nameTo, valueFrom, valueTo) => {
    const id = data.slice(idFrom, idTo);
    if (nameFrom < 0) result.push([id, '']);
    else result.push([`${id}.${data.slice(nameFrom, nameTo)}`, unescaped(data.slice(valueFrom, valueTo))]);
  });
  return result;
}

function readElements(text: string, at: number, end: number, visit: Visit | null): number {
  let to = readElement(text, at, end, visit);
  for (let next = to; next >= 0;) {
    to = next;
    next = to < end && text.charCodeAt(to) === OPEN ? readElement(text, to, end, visit) : -1;
  }
  return to;
}

function readElement(text: string, at: number, end: number, visit: Visit | null): number {
  if (at >= end || text.charCodeAt(at) !== OPEN) return -1;
  const id = at + 1;
  const idTo = nameEnd(text, id, end);
  if (idTo === id) return -1;
  let to = idTo;
  let parameters = 0;
  while (to < end && text.charCodeAt(to) === BLANK) {
    const name = skipBlanks(text, to, end);
    const nameTo = nameEnd(text, name, end);
    if (nameTo === name || nameTo >= end || text.charCodeAt(nameTo) !== EQUALS) return -1;
    const start = skipBlanks(text, nameTo + 1, end);
    const quoted = start < end && text.charCodeAt(start) === QUOTE;
    const value = quoted ? start + 1 : start;
    const valueTo = quoted ? valueEnd(text, value, end) : nameEnd(text, value, end);
    if (valueTo < 0 || (valueTo === value && !quoted)) return -1;
    visit?.(id, idTo, name, nameTo, value, valueTo);
    parameters++;
    to = quoted ? valueTo + 1 : valueTo;
  }
  if (to >= end || text.charCodeAt(to) !== CLOSE) return -1;
  if (parameters === 0) visit?.(id, idTo, -1, -1, -1, -1);
  return to + 1;
}

/** Anything but blanks, equals signs, brackets that close, and quotes. */
function nameEnd(text: string, at: number, end: number): number {
  while (at < end && !isNameEnd(text.charCodeAt(at))) at++;
  return at;
}

function isNameEnd(code: number): boolean {
  return code === BLANK || code === EQUALS || code === CLOSE || code === QUOTE;
}

/** The quote behind a value, in which a backslash stands before quotes and backslashes; -1 when there is none. */
function valueEnd(text: string, at: number, end: number): number {
  for (let to = at; to < end; to++) {
    const code = text.charCodeAt(to);
    if (code === QUOTE) return to;
    if (code === BACKSLASH && isEscapable(text.charCodeAt(to + 1))) to++;
  }
  return -1;
}

function isEscapable(code: number): boolean {
  return code === QUOTE || code === BACKSLASH || code === CLOSE;
}

function unescaped(value: string): string {
  return value.includes('\\') ? value.replace(/\\(["\]\\])/g, '$1') : value;
}

function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && text.charCodeAt(at) === BLANK) at++;
  return at;
}
