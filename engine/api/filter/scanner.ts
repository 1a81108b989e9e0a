/** Goes through what is typed as a filter, and writes the expression that is made of it. Pure. */

/** A piece of what was typed, and what is wrong with it. */
export interface TypedProblem {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Place of a piece of the typed text in the expression that was made of it. */
export interface Piece {
  readonly typed: number;
  readonly written: number;
}

/** The place in the typed text of a place in the expression that was made of it. */
export function typedPlace(pieces: readonly Piece[], written: number): number {
  const at = pieces.findLastIndex((piece) => piece.written <= written);
  const piece = pieces[at];
  if (piece === undefined) return written;
  const place = piece.typed + (written - piece.written);
  const next = pieces[at + 1];
  return next === undefined ? place : Math.min(place, next.typed);
}

/** A mistake in what was typed. */
export class Wrong extends Error {
  readonly problem: TypedProblem;

  constructor(problem: TypedProblem) {
    super(problem.text);
    this.problem = problem;
  }
}

/** The typed text, the place in it that is read, and what was written of it. */
export class Scanner {
  readonly typed: string;
  /** The place that is looked at. */
  at = 0;
  written = '';
  readonly pieces: Piece[] = [];

  constructor(typed: string) {
    this.typed = typed;
  }

  /** Takes what a pattern finds at this place; null: nothing. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.typed);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  /** Writes a piece of the expression. @param typed the place that it is made of */
  write(text: string, typed: number): void {
    this.pieces.push({ typed, written: this.written.length + (text.length - text.trimStart().length) });
    this.written += text;
  }

  /** Error for the piece at this place that a pattern takes. */
  wrong(piece: RegExp, text: string): Wrong {
    const from = this.at;
    this.take(piece);
    return this.wrongAt(from, this.at, text);
  }

  wrongAt(from: number, to: number, text: string): Wrong {
    return new Wrong({ from, to, text });
  }

  /** Whether a pattern finds something at this place. */
  isAhead(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.typed);
  }
}
