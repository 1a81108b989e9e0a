/**
 * Classes of characters by their names, such as `alpha` of `[[:alpha:]]`, written as items of a class of JavaScript. Those of Unicode are those of
 * Onigmo, Ruby's engine; they hold the characters below U+10000, and where others are meant the halves of their pairs.
 */

/** Classes of ASCII, as PCRE has them. */
export const ASCII_CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alpha: 'A-Za-z',
    digit: '0-9',
    alnum: '0-9A-Za-z',
    upper: 'A-Z',
    lower: 'a-z',
    punct: '!-/:-@\\[-`{-~',
    xdigit: '0-9A-Fa-f',
    space: ' \\t-\\r',
    blank: ' \\t',
    cntrl: '\\0-\\x1f\\x7f',
    graph: '!-~',
    print: ' -~',
    word: '\\w',
    ascii: '\\0-\\x7f',
  }),
);

/** Expressions for one character. */
const UNICODE: Readonly<Record<string, RegExp>> = {
  alpha: /\p{Alphabetic}/u,
  digit: /\p{Nd}/u,
  alnum: /[\p{Alphabetic}\p{Nd}]/u,
  upper: /\p{Uppercase}/u,
  lower: /\p{Lowercase}/u,
  punct: /[\p{P}$+<=>^`|~]/u,
  space: /\p{White_Space}/u,
  blank: /[\p{Zs}\t]/u,
  cntrl: /\p{Cc}/u,
  graph: /[^\p{White_Space}\p{Cc}\p{Cn}]/u,
  print: /[\p{Zs}]|[^\p{White_Space}\p{Cc}\p{Cn}]/u,
  word: /[\p{L}\p{M}\p{Nd}\p{Pc}]/u,
};
const LAST = 0xffff;
const items = new Map<string, string | null>();

/** The items of a class or a property of Unicode by its name (`alpha`, `L`, `Greek`); null: there is none. */
export function unicodeClass(name: string): string | null {
  const key = name.toLowerCase();
  const ascii = key === 'xdigit' || key === 'ascii' ? ASCII_CLASSES.get(key) : undefined;
  if (ascii !== undefined) return ascii;
  const known = items.get(name);
  if (known !== undefined) return known;
  const expression = Object.hasOwn(UNICODE, key) ? (UNICODE[key] as RegExp) : propertyOf(name);
  const found = expression === null ? null : itemsOf(expression);
  items.set(name, found);
  return found;
}

function propertyOf(name: string): RegExp | null {
  const forms = [name, name.charAt(0).toUpperCase() + name.slice(1).toLowerCase()].flatMap((one) => [one, `Script=${one}`]);
  for (const form of forms) {
    try {
      return new RegExp(`\\p{${form}}`, 'u');
    } catch {
      continue;
    }
  }
  return null;
}

/** Ranges of all characters for which the expression holds. */
function itemsOf(expression: RegExp): string {
  let text = '';
  let from = -1;
  for (let code = 0; code <= LAST + 1; code++) {
    const isIn = code <= LAST && expression.test(String.fromCharCode(code));
    if (isIn && from < 0) from = code;
    if (isIn || from < 0) continue;
    text += from === code - 1 ? unit(from) : `${unit(from)}-${unit(code - 1)}`;
    from = -1;
  }
  return text;
}

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;
