/**
 * An expression that cannot be compiled. `message` is one complete sentence; the parts are there for editors that mark the
 * place themselves.
 */
export class MatcherError extends Error {
  override readonly name = 'MatcherError';
  /** The whole expression. */
  readonly expression: string;
  /** 1-based column of the first character that is wrong, in UTF-16 code units. */
  readonly column: number;
  /** The text at that column, ready to be read: `'Severity'`, `the end`. */
  readonly found: string;
  /** The text that would have been right there. */
  readonly expected: string;
  /** A correction, when one is likely. */
  readonly hint: string | null;
  /** The sentence, where it is not the one about what was expected and found. */
  readonly said: string | undefined;

  /** @param place `said`: the sentence, instead of the one about what was expected and found */
  constructor(place: {
    expression: string;
    column: number;
    found: string;
    expected: string;
    hint?: string | null;
    said?: string | undefined;
    cause?: unknown;
  }) {
    const { expression, column, expected, cause } = place;
    const found = shorten(place.found);
    const hint = place.hint ?? null;
    const tail = hint === null ? '' : `; ${hint}`;
    super(`column ${column}: ${place.said ?? `expected ${expected}, found ${found}${tail}`}`, cause === undefined ? undefined : { cause });
    this.expression = expression;
    this.column = column;
    this.found = found;
    this.expected = expected;
    this.hint = hint;
    this.said = place.said;
  }

  /** The line of the expression that is wrong, and below it a caret under the column, for terminals and logs. */
  caret(): string {
    const at = this.column - 1;
    const start = this.expression.lastIndexOf('\n', at - 1) + 1;
    const newline = this.expression.indexOf('\n', at);
    const line = this.expression.slice(start, newline < 0 ? undefined : newline);
    const pad = line.slice(0, at - start).replace(/[^\t]/g, ' ');
    return `${line}\n${pad}^`;
  }
}

const LONGEST_QUOTE = 60;

function shorten(text: string): string {
  return text.length <= LONGEST_QUOTE ? text : `${text.slice(0, LONGEST_QUOTE)}…`;
}
