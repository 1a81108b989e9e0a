/** A line of a header may have so many characters (RFC 5322). */
const MAX_LINE = 78;
const PREFIX = { B: '=?utf-8?B?', Q: '=?utf-8?Q?' } as const;
const END = '?=';

interface Word {
  readonly text: string;
  /** Characters of the source that it holds. */
  readonly covered: number;
}

/**
 * A header of a mail (RFC 2047): as it is when it is printable ASCII that fits a line, else in encoded words, one a line, each in the
 * encoding that holds more characters.
 */
export function mailHeader(name: string, value: string): string {
  const plain = `${name}: ${value}`;
  if (/^[ -~]*$/.test(value) && plain.length <= MAX_LINE) return plain;
  const characters = [...value.toWellFormed()];
  const lines: string[] = [];
  for (let at = 0; at < characters.length;) {
    const taken = lines.length === 0 ? name.length + 2 : 1;
    const { text, covered } = longestWord(characters, at, MAX_LINE - taken);
    lines.push(text);
    at += covered;
  }
  return `${name}: ${lines.join('\r\n ')}`;
}

/** The encoded word of at most `room` characters that holds the most. It holds at least one. */
function longestWord(characters: readonly string[], from: number, room: number): Word {
  const quoted = quotedWord(characters, from, room);
  const base64 = base64Word(characters, from, room);
  return base64.covered > quoted.covered ? base64 : quoted;
}

function quotedWord(characters: readonly string[], from: number, room: number): Word {
  let text = '';
  let at = from;
  while (at < characters.length) {
    const next = quoted(characters[at] as string);
    if (at > from && PREFIX.Q.length + text.length + next.length + END.length > room) break;
    text += next;
    at++;
  }
  return { text: `${PREFIX.Q}${text}${END}`, covered: at - from };
}

function quoted(character: string): string {
  if (character === ' ') return '_';
  if (/^[!-<>@-^`-~]$/.test(character)) return character;
  return [...Buffer.from(character)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function base64Word(characters: readonly string[], from: number, room: number): Word {
  const space = room - PREFIX.B.length - END.length;
  let bytes = 0;
  let at = from;
  while (at < characters.length) {
    const more = Buffer.byteLength(characters[at] as string);
    if (at > from && Math.ceil((bytes + more) / 3) * 4 > space) break;
    bytes += more;
    at++;
  }
  return { text: `${PREFIX.B}${Buffer.from(characters.slice(from, at).join('')).toString('base64')}${END}`, covered: at - from };
}
