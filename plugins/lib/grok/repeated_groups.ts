/**
 * Captures of repeated groups. In Ruby a group that takes part in some turn of a repetition keeps what it matched last; JavaScript forgets it at each
 * further turn. Where that makes a difference, the turns of a match are gone through once more, one by one.
 */

/** A repetition with groups in it. Groups have their places as names: `g0`, and `r0` for the text of a whole repetition. */
export interface Repetition {
  readonly name: string;
  /** The expression of one turn. */
  readonly turn: string;
}

type Spans = Readonly<Record<string, readonly [start: number, end: number] | undefined>>;
type Texts = Record<string, string | undefined>;

interface Turns {
  readonly name: string;
  /** The groups of a turn. */
  readonly groups: readonly string[];
  readonly expression: RegExp;
}

/** Longer repetitions stay as JavaScript has them. */
const MOST_TURNS = 256;
const GROUP = /\(\?<([gr]\d+)>/g;
const ATOM = /(\(\?<|\\k<)a(\d+)>/g;

/** Completes the captures of an expression. */
export class RepeatedGroups {
  readonly #expression: RegExp;
  /** The numbers of the groups by their names. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #turns: readonly Turns[];

  /** @param names the names of the groups of `expression` by their numbers */
  constructor({ source, flags }: RegExp, names: readonly (string | undefined)[], repetitions: readonly Repetition[]) {
    this.#expression = new RegExp(source, `${flags}d`);
    this.#places = new Map(names.flatMap((name, i) => (name === undefined ? [] : [[name, i]])));
    this.#turns = repetitions.flatMap((repetition) => turnsOf(repetition, flags) ?? []);
  }

  /** Adds to a match of the expression what groups have captured in turns before the last one. */
  complete(text: string, found: RegExpExecArray): void {
    if (!this.#turns.some((turns) => this.#lacks(turns, found))) return;
    const { indices } = this.#expression.exec(text) ?? {};
    if (indices === undefined) return;
    const texts: Texts = {};
    const spans: Record<string, [number, number] | undefined> = {};
    for (const [name, place] of this.#places) {
      texts[name] = found[place];
      spans[name] = indices[place];
    }
    this.#fill(text, texts, spans);
    for (const [name, place] of this.#places) if (texts[name] !== undefined) found[place] = texts[name];
  }

  #lacks({ name, groups }: Turns, found: RegExpExecArray): boolean {
    const isThere = (group: string): boolean => found[this.#places.get(group) ?? 0] !== undefined;
    return isThere(name) && groups.some((group) => !isThere(group));
  }

  #fill(text: string, texts: Texts, spans: Spans): void {
    for (const turns of this.#turns) {
      const span = spans[turns.name];
      if (span === undefined || turns.groups.every((group) => texts[group] !== undefined)) continue;
      const last = this.#last(text.slice(0, span[1]), span[0], turns);
      for (const group of turns.groups) texts[group] ??= last[group];
    }
  }

  /** The last captures of the turns from a position to the end of a text. */
  #last(text: string, start: number, { expression }: Turns): Texts {
    const last: Texts = {};
    let at = start;
    for (let turn = 0; at < text.length && turn < MOST_TURNS; turn++) {
      expression.lastIndex = at;
      const found = expression.exec(text);
      if (found === null || expression.lastIndex === at) return last;
      at = expression.lastIndex;
      const texts: Texts = { ...found.groups };
      this.#fill(text, texts, found.indices?.groups ?? {});
      for (const [name, value] of Object.entries(texts)) if (value !== undefined) last[name] = value;
    }
    return last;
  }
}

/** One turn, behind which others must lead to the end of the text; null: it refers to groups outside of it. */
function turnsOf({ name, turn }: Repetition, flags: string): Turns | null {
  const others = turn.replace(GROUP, '(?:').replace(ATOM, '$1b$2>');
  try {
    const expression = new RegExp(`(?:${turn})(?=(?:${others})*(?![^]))`, `${flags}dy`);
    return { name, groups: Array.from(turn.matchAll(GROUP), ([, group = '']) => group), expression };
  } catch {
    return null;
  }
}
