/**
 * Finds the patterns that lines are made from, line by line: P. He, J. Zhu, Z. Zheng, M. R. Lyu, "Drain: An Online Log Parsing Approach with
 * Fixed Depth Tree", ICWS 2017. Lines of the same number of words that begin with the same words are compared with the patterns found
 * so far; a line that is similar enough to one belongs to it, and where they differ the pattern gets a wildcard.
 *
 * Beyond the paper, of words such as `user=alice` only what stands before the sign counts, and at most maxPatterns are kept: when
 * there are more, the tenth of them that was not seen for longest is forgotten.
 */
import { checkList, checkString, timeArgument, unexpected, wholeNumber } from '../base/arguments.ts';

export const WILDCARD = '<*>';

/** A pattern, as plain data. */
export interface LogPattern {
  readonly id: number;
  readonly words: string[];
  count: number;
  /** Times of its first and last line. */
  first: number;
  last: number;
  /** The first line of the pattern. */
  readonly example: string;
}

/** State of the tree as plain data. */
export interface DrainState {
  readonly patterns: LogPattern[];
  next: number;
}

export interface DrainOptions {
  /** Share of the words that must be the same, from 0 to 1. */
  readonly similarity: number;
  /** Words at the beginning by which lines are told apart before they are compared. */
  readonly prefix: number;
  readonly maxPatterns: number;
}

/** A node of the tree; patterns are in its leaves. */
interface Node {
  readonly children: Map<string | number, Node>;
  readonly patterns: LogPattern[];
}

/** Different words that a node tells apart; all others go the way of the wildcard. */
const MAX_CHILDREN = 100;
/** Share of the patterns that stay when there are too many. */
const KEPT = 0.9;
const SIGN = '=';
const ROUNDING = 1e-9;

/** The patterns of a log, found line by line; see above. */
export class Drain {
  readonly #options: DrainOptions;
  #state: DrainState;
  #root = newNode();

  /** @param state an empty one, or that of a Drain before, which goes on */
  constructor(options: DrainOptions, state: DrainState) {
    checkOptions(options);
    if (!Array.isArray(state?.patterns)) throw unexpected('Drain', 2, 'state of a Drain', state);
    this.#options = options;
    this.#state = state;
    this.#plant();
  }

  /** State of the tree, to be kept in a global variable. */
  get state(): DrainState {
    return this.#state;
  }

  /** The pattern that a line belongs to, counted. `words` are its words, `line` is kept as the example of a new pattern. */
  add(words: string[], line: string, time: number | bigint): LogPattern {
    checkList('add', 1, words);
    checkString('add', 2, line);
    return this.#add(words, line, timeArgument('add', 3, time));
  }

  #add(words: string[], line: string, time: number): LogPattern {
    const leaf = this.#leaf(words);
    const found = mostSimilar(leaf.patterns, words, this.#options.similarity);
    if (found === null) return this.#newPattern(words, line, time);
    generalise(found.words, words);
    found.count++;
    if (time > found.last) found.last = time;
    return found;
  }

  #newPattern(words: string[], example: string, time: number): LogPattern {
    const { patterns } = this.#state;
    if (patterns.length >= this.#options.maxPatterns) this.#forget();
    const pattern = { id: this.#state.next++, words, count: 1, first: time, last: time, example };
    patterns.push(pattern);
    this.#leaf(words).patterns.push(pattern);
    return pattern;
  }

  #forget(): void {
    const { patterns } = this.#state;
    const recent = patterns.toSorted((a, b) => b.last - a.last || b.id - a.id).slice(0, Math.floor(this.#options.maxPatterns * KEPT));
    patterns.splice(0, patterns.length, ...recent.sort((a, b) => a.id - b.id));
    this.#plant();
  }

  /** Makes the tree for the patterns that there are. */
  #plant(): void {
    this.#root = newNode();
    for (const pattern of this.#state.patterns) this.#leaf(pattern.words).patterns.push(pattern);
  }

  /** The leaf for lines like this, made when it is new. */
  #leaf(words: readonly string[]): Node {
    let node = childOf(this.#root, words.length, Infinity);
    const depth = Math.min(this.#options.prefix, words.length);
    for (let i = 0; i < depth; i++) node = childOf(node, branchOf(words[i] as string), MAX_CHILDREN);
    return node;
  }
}

function checkOptions(options: DrainOptions): void {
  const { similarity, prefix, maxPatterns } = options ?? {};
  const isShare = typeof similarity === 'number' && similarity >= 0 && similarity <= 1;
  if (!isShare) throw unexpected('Drain', 1, 'similarity from 0 to 1', similarity);
  wholeNumber('Drain', 1, prefix, 0);
  wholeNumber('Drain', 1, maxPatterns, 1);
}

function newNode(): Node {
  return { children: new Map(), patterns: [] };
}

function childOf(node: Node, branch: string | number, limit: number): Node {
  let child = node.children.get(branch);
  if (child !== undefined) return child;
  const key = node.children.size < limit ? branch : WILDCARD;
  child = node.children.get(key);
  if (child === undefined) node.children.set(key, (child = newNode()));
  return child;
}

/** Words that hold something variable do not tell lines apart. */
function branchOf(word: string): string {
  if (/[\d<]/.test(word)) return WILDCARD;
  const sign = word.indexOf(SIGN);
  return sign > 0 ? word.slice(0, sign) : word;
}

function mostSimilar(patterns: readonly LogPattern[], words: readonly string[], least: number): LogPattern | null {
  let best: LogPattern | null = null;
  // ROUNDING: a share such as 0.07 is rounded in binary, which could demand one word more.
  let bestSame = Math.max(1, Math.ceil(least * words.length - ROUNDING)) - 1;
  for (const pattern of patterns) {
    const same = sameWords(pattern.words, words);
    if (same > bestSame || (best === null && words.length === 0)) {
      best = pattern;
      bestSame = same;
    }
  }
  return best;
}

function sameWords(pattern: readonly string[], words: readonly string[]): number {
  let same = 0;
  for (let i = 0; i < words.length; i++) if (pattern[i] === words[i] || sameKey(pattern[i] as string, words[i] as string)) same++;
  return same;
}

function sameKey(a: string, b: string): boolean {
  const sign = a.indexOf(SIGN);
  return sign > 0 && b.indexOf(SIGN) === sign && b.startsWith(a.slice(0, sign));
}

/** Puts wildcards where the words are not those of the pattern. */
function generalise(pattern: string[], words: readonly string[]): void {
  for (let i = 0; i < words.length; i++) {
    const [old, word] = [pattern[i] as string, words[i] as string];
    if (old === word || old === WILDCARD) continue;
    pattern[i] = sameKey(old, word) ? old.slice(0, old.indexOf(SIGN) + 1) + WILDCARD : WILDCARD;
  }
}
