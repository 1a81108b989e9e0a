const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, `]` and `}`: they differ in one bit. */
const OPEN = 0x5b;
const CLOSE = 0x5d;
const WITHOUT_BIT = 0xdf;

export interface JsonBounds {
  /** Values within values. */
  readonly depth: number;
  /** Lists, objects, and values in them. */
  readonly values: number;
}

/** Whether JSON of a stranger (UTF-8) has no more in it than a reader has time and memory for: a list takes many times the bytes that it is written with. */
export function isWithin(json: Uint8Array, { depth: mostDepth, values: mostValues }: JsonBounds): boolean {
  let [depth, values] = [0, 0];
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number;
    if (byte === QUOTE) i = stringEnd(json, i + 1);
    else if (byte === COMMA) values++;
    else if ((byte & WITHOUT_BIT) === OPEN) {
      values++;
      depth++;
    } else if ((byte & WITHOUT_BIT) === CLOSE) depth--;
    if (depth > mostDepth || values > mostValues) return false;
  }
  return true;
}

/** The place of the quote that ends a string, or the end of the text. */
function stringEnd(json: Uint8Array, from: number): number {
  for (let at = from; ;) {
    const quote = json.indexOf(QUOTE, at);
    if (quote < 0) return json.length;
    let escapes = 0;
    while (quote - escapes > from && json[quote - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
    at = quote + 1;
  }
}
