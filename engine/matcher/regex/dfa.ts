import { Alphabet, Beside } from './alphabet.ts';
import { compileNfa, Op, type Nfa } from './nfa.ts';
import type { Assertion, Regex } from './syntax.ts';

/** Entries of the transition table that are not states. A state is its row's offset in the table, so never one of these. */
const UNKNOWN = 0;
const MATCHED = -1;
const DEAD = -2;

/** States kept before the table is emptied and built anew; bounds the memory of one expression. */
const MAX_STATES = 2000;
const MAX_CELLS = 1 << 18;
/** The same for the instructions of all states: one of a large expression may have 100,000. */
const MAX_INSTRUCTIONS = 1 << 20;
/** Most work in sorting characters into classes: sets times their ranges. */
const MAX_ALPHABET = 1 << 21;

/**
 * A deterministic automaton whose states are made when a text first needs them (as in RE2; R. Cox, "Regular Expression Matching in the
 * Wild", 2010). Each character of a text costs one look-up in a table, or at most one pass over the instructions when the state is new:
 * the time is linear in the text whatever the expression. It answers only whether the expression matches anywhere.
 */
export class Dfa {
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  readonly #maxStates: number;
  readonly #visited: Uint32Array;
  readonly #stack: number[] = [];
  #mark = 0;
  #table = new Int32Array(0);
  #ids = new Map<string, number>();
  /** Instructions of each state, and the neighbour before it. */
  #states: { readonly core: readonly number[]; readonly before: number; end: boolean | null }[] = [];
  /** Instructions of all states together. */
  #instructions = 0;
  /** First state after each kind of neighbour; UNKNOWN until needed. */
  #starts: number[] = [];

  /** An automaton, or null when the expression has too many different sets of characters. */
  static of(regex: Regex): Dfa | null {
    const nfa = compileNfa(regex);
    const boundaries = nfa.sets.reduce((sum, set) => sum + set.length, 0);
    return boundaries * nfa.sets.length > MAX_ALPHABET ? null : new Dfa(nfa);
  }

  private constructor(nfa: Nfa) {
    this.#nfa = nfa;
    this.#alphabet = new Alphabet(this.#nfa.sets, this.#nfa.asserts.length > 0);
    this.#visited = new Uint32Array(this.#nfa.op.length);
    this.#maxStates = Math.max(Math.min(MAX_STATES, Math.floor(MAX_CELLS / this.#alphabet.size)), 8);
    this.#clear();
  }

  /**
   * Whether the expression matches in `text.slice(start, end)`. No match may begin before `from`; the caller knows of none there, and the
   * automaton only looks at the character before `from` to judge assertions.
   */
  test(text: string, start: number, end: number, from: number): boolean {
    const { latin } = this.#alphabet;
    let state = this.#startState(this.#besideAt(text, start, from));
    if (state < 0) return state === MATCHED;
    // Making the first state may have exchanged it.
    let table = this.#table;
    for (let at = from; at < end; at++) {
      const unit = text.charCodeAt(at);
      let kind: number;
      if (unit < 256) kind = latin[unit] as number;
      else {
        const pair = unit >= 0xd800 && unit < 0xdc00 && at + 1 < end ? pairAt(text, at, unit) : 0;
        kind = this.#alphabet.classOf(pair || unit);
        if (pair !== 0) at++;
      }
      let next = table[state + kind] as number;
      if (next <= 0) {
        if (next === UNKNOWN) {
          next = this.#step(state, kind);
          table = this.#table;
        }
        if (next < 0) return next === MATCHED;
      }
      state = next;
    }
    return this.#matchesAtEnd(state);
  }

  #besideAt(text: string, start: number, at: number): number {
    if (at <= start) return Beside.EDGE;
    const unit = text.charCodeAt(at - 1);
    return unit < 256 ? (this.#alphabet.beside[this.#alphabet.latin[unit] as number] as number) : Beside.OTHER;
  }

  #startState(before: number): number {
    return (this.#starts[before] ||= this.#stateFor([this.#nfa.start], before));
  }

  /** The state after `state` reads a character of class `kind`; a search may also begin anew there. */
  #step(state: number, kind: number): number {
    const { core, before } = this.#at(state);
    const { op, next, argument } = this.#nfa;
    const beside = this.#alphabet.beside[kind] as number;
    const ready = this.#nfa.asserts.length > 0 ? this.#close(core, before, beside) : core;
    if (ready.includes(0)) return this.#remember(state, kind, MATCHED);
    const seeds: number[] = [];
    for (const pc of ready) {
      if (op[pc] === Op.SET && this.#alphabet.members[argument[pc] as number]?.[kind] === 1) seeds.push(next[pc] as number);
    }
    seeds.push(this.#nfa.start);
    // Making a state may empty the table; the row of `state` is gone then.
    const generation = this.#ids;
    const target = this.#stateFor(seeds, beside);
    return this.#ids === generation ? this.#remember(state, kind, target) : target;
  }

  #remember(state: number, kind: number, target: number): number {
    this.#table[state + kind] = target;
    return target;
  }

  #matchesAtEnd(state: number): boolean {
    const entry = this.#at(state);
    entry.end ??= this.#close(entry.core, entry.before, Beside.EDGE).includes(0);
    return entry.end;
  }

  /** The state whose instructions are reached from `seeds` without taking a character; assertions on the next character stay open. */
  #stateFor(seeds: readonly number[], before: number): number {
    const core = this.#close(seeds, before, null);
    if (core.includes(0)) return MATCHED;
    // Nothing is left, and only the start of a later line could begin anew.
    if (core.length === 0 && !this.#nfa.asserts.includes('lineStart')) return DEAD;
    core.sort((a, b) => a - b);
    // The neighbour before only matters to assertions that are still open.
    const open = core.some((pc) => this.#nfa.op[pc] === Op.ASSERT);
    const key = open ? `${before}:${core.join()}` : core.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (this.#states.length > this.#maxStates || this.#instructions > MAX_INSTRUCTIONS) this.#clear();
    this.#instructions += core.length;
    const width = this.#alphabet.size;
    const id = this.#states.push({ core, before, end: null }) * width - width;
    if (this.#table.length < id + width) this.#grow(id + width);
    this.#ids.set(key, id);
    return id;
  }

  /**
   * Follows splits, and assertions as far as they can be judged: `after` null means that the next character is not known yet, and an
   * assertion that needs it is kept among the results. Otherwise the results are SET instructions and, when reached, the match (0).
   */
  #close(seeds: readonly number[], before: number, after: number | null): number[] {
    const { op, next, argument, asserts } = this.#nfa;
    const result: number[] = [];
    const stack = this.#stack;
    const mark = ++this.#mark;
    for (let i = seeds.length - 1; i >= 0; i--) stack.push(seeds[i] as number);
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (this.#visited[pc] === mark) continue;
      this.#visited[pc] = mark;
      if (op[pc] === Op.SPLIT) stack.push(argument[pc] as number, next[pc] as number);
      else if (op[pc] !== Op.ASSERT) result.push(pc);
      else {
        const holds = judge(asserts[argument[pc] as number] as Assertion, before, after);
        if (holds === null) result.push(pc);
        else if (holds) stack.push(next[pc] as number);
      }
    }
    return result;
  }

  #at(state: number): { readonly core: readonly number[]; readonly before: number; end: boolean | null } {
    return this.#states[state / this.#alphabet.size] as { core: number[]; before: number; end: boolean | null };
  }

  #grow(cells: number): void {
    const table = new Int32Array(Math.max(cells, this.#table.length * 2, 16 * this.#alphabet.size));
    table.set(this.#table);
    this.#table = table;
  }

  #clear(): void {
    this.#ids = new Map();
    // State 0 would look like an unknown entry; its row stays empty.
    this.#states = [{ core: [], before: Beside.EDGE, end: false }];
    this.#instructions = 0;
    this.#starts = [];
    this.#table = new Int32Array(0);
    this.#grow(this.#alphabet.size);
  }
}

/** Whether an assertion holds between two neighbours; null when that depends on the one that is not known yet. */
function judge(assertion: Assertion, before: number, after: number | null): boolean | null {
  switch (assertion) {
    case 'textStart':
      return before === Beside.EDGE;
    case 'lineStart':
      return before === Beside.EDGE || before === Beside.NEWLINE;
    case 'textEnd':
      return after === null ? null : after === Beside.EDGE;
    case 'lineEnd':
      return after === null ? null : after === Beside.EDGE || after === Beside.NEWLINE;
    case 'word':
    case 'notWord': {
      if (after === null) return null;
      const boundary = (before === Beside.WORD) !== (after === Beside.WORD);
      return boundary === (assertion === 'word');
    }
  }
}

/** The character of a surrogate pair at `at`, or 0 when the second half is missing. */
function pairAt(text: string, at: number, high: number): number {
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low < 0xe000 ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : 0;
}
