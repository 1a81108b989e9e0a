/** Patterns of lines as conditions of the language of filters. Pure. */

const PLACEHOLDER = /<(?:\*|num|ip|mac|time|uuid|hex)>/;
/** Expressions for the words that a placeholder stands for; a line may have the placeholder itself as well. */
const VARIABLE: Readonly<Record<string, string>> = {
  '<num>': String.raw`[-+]?\d+(?:[.,]\d+)*`,
  '<hex>': '(?:0x)?[0-9a-fA-F]+',
  '<ip>': '[0-9a-fA-F.:]+',
  '<mac>': '[0-9a-fA-F:]+',
  '<uuid>': '[0-9a-fA-F-]+',
  '<time>': String.raw`[0-9A-Za-z:.,\/+-]+`,
};
/** Words of a line that are told apart; what follows is one word. */
const MOST_WORDS = 128;
/** Texts of about this length are beginnings of longer ones. */
const CUT_LENGTH = 1900;
/** As the patterns are made: words are separated by blanks and controls. */
const [GAP, WORD] = ['[\\x00-\\x20]+', '[^\\x00-\\x20]+'];

/** The source of an expression that matches the lines of a pattern. */
export function patternSource(text: string): string {
  const words = text.split(' ');
  const source = words.map((word) => pieces(word).map(sourceOf).join('')).join(GAP);
  const isCut = words.length >= MOST_WORDS || text.length >= CUT_LENGTH;
  return `^[\\x00-\\x20]*${source}${isCut ? '' : '[\\x00-\\x20]*$'}`;
}

/** The condition for the messages with such a payload, or with such a value of a variable. */
export const patternCondition = (text: string, variable = 'Payload'): string => `${variable} =~ /${patternSource(text)}/`;

function sourceOf({ text, varies }: Piece): string {
  if (!varies) return escaped(text);
  const form = VARIABLE[text];
  return form === undefined ? WORD : `(?:${text}|${form})`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\p{Cc}+/gu, GAP);
}

interface Piece {
  readonly text: string;
  readonly varies: boolean;
}

/** A pattern in pieces: words, and what stands for others. */
export function pieces(text: string): Piece[] {
  return text
    .split(new RegExp(`(${PLACEHOLDER.source})`))
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, varies: PLACEHOLDER.test(piece) }));
}
